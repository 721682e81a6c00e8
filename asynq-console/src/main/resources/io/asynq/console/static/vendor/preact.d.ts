export const Fragment: any;
export function h(type: any, props?: any, ...children: any[]): any;
export function render(node: any, parent: Element): void;
