declare const htm: { bind(h: Function): (strings: TemplateStringsArray, ...values: any[]) => any };
export default htm;
