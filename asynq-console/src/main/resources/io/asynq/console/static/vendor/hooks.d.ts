export function useCallback<T extends Function>(callback: T, inputs: readonly unknown[]): T;
export function useEffect(effect: () => void | (() => void), inputs?: readonly unknown[]): void;
export function useId(): string;
export function useLayoutEffect(effect: () => void | (() => void), inputs?: readonly unknown[]): void;
export function useMemo<T>(factory: () => T, inputs?: readonly unknown[]): T;
export function useRef<T>(initial: T): { current: T };
export function useState<T>(initial: T | (() => T)): [T, (next: T | ((old: T) => T)) => void];
