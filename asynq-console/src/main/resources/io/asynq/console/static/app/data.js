import { connection, get } from './api.js';
import { useCallback, useEffect, useRef, useState } from './lib.js';

/**
 * What a screen has of an answer. `data` stays while it is read again, so that nothing jumps.
 * @typedef {object} Loaded
 * @property {any} data
 * @property {import('./api.js').Problem | null} error
 * @property {boolean} loading
 * @property {() => Promise<void>} reload
 * @property {(change: (data: any) => any) => void} change
 */

/**
 * Reads an answer, again when `path` or `params` change, and every `every` milliseconds if given while the tab is seen.
 * `path` null reads nothing.
 * @param {string | null} path
 * @param {Record<string, string | number | boolean | null | undefined>} [params]
 * @param {{every?: number}} [options]
 * @returns {Loaded}
 */
export function useData(path, params = {}, options = {}) {
	const key = path === null ? null : path + JSON.stringify(params);
	const [state, setState] = useState(/** @type {{key: any, data: any, error: any, loading: boolean}} */ (
		{ key, data: null, error: null, loading: path !== null }));
	const running = useRef(/** @type {AbortController | null} */ (null));
	const reload = useCallback(async () => {
		if (path === null) {
			return;
		}
		if (running.current) {
			running.current.abort();
		}
		const own = new AbortController();
		running.current = own;
		setState((old) => ({ ...old, key, data: old.key === key ? old.data : null, loading: true }));
		try {
			const data = await get(path, params, { signal: own.signal });
			setState({ key, data, error: null, loading: false });
		}
		catch (error) {
			if (!own.signal.aborted) {
				setState((old) => ({ ...old, error, loading: false }));
			}
		}
	}, [key]);
	useEffect(() => {
		reload();
		return () => running.current ? running.current.abort() : undefined;
	}, [reload]);
	useEffect(() => {
		if (!options.every) {
			return undefined;
		}
		const timer = setInterval(() => document.hidden || reload(), options.every);
		return () => clearInterval(timer);
	}, [reload, options.every]);
	useEffect(() => {
		// Once the connection is back, a screen that failed reads again by itself
		let before = connection.get().state;
		return connection.subscribe(({ state: now }) => {
			if (now === 'ok' && before !== 'ok' && failed.current) {
				reload();
			}
			before = now;
		});
	}, [reload]);
	const failed = useRef(false);
	failed.current = state.error !== null;
	const current = state.key === key;
	return {
		data: current ? state.data : null,
		error: current ? state.error : null,
		loading: state.loading || !current,
		reload,
		change: (change) => setState((old) => ({ ...old, data: change(old.data) })),
	};
}
