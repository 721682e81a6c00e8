import { store } from './store.js';

/**
 * @typedef {Record<string, string>} Params
 * @typedef {{name: string, params: Params}} Route
 */

const base = new URL(document.baseURI);
const root = base.pathname;

/** @returns {Route} */
function read() {
	const path = location.pathname;
	const name = path.startsWith(root) ? path.slice(root.length) : '';
	/** @type {Params} */
	const params = {};
	new URLSearchParams(location.search).forEach((value, key) => {
		params[key] = value;
	});
	return { name: decodeURI(name).replace(/\/+$/, '') || 'overview', params };
}

export const route = store(read());

/**
 * @param {string} path
 * @param {Record<string, string | number | boolean | null | undefined>} params
 */
export function address(path, params) {
	const query = new URLSearchParams();
	for (const [key, value] of Object.entries(params)) {
		if (value !== null && value !== undefined && value !== '') {
			query.set(key, String(value));
		}
	}
	const text = query.toString();
	return path + (text ? '?' + text : '');
}

/**
 * The relative address of a screen. Names and ids are parameters and never part of the path.
 * @param {string} name
 * @param {Record<string, string | number | null | undefined>} [params]
 */
export function href(name, params = {}) {
	return address(name === 'overview' ? './' : name, params);
}

/**
 * @param {string} name
 * @param {Record<string, string | number | null | undefined>} [params]
 * @param {{replace?: boolean}} [options]
 */
export function navigate(name, params = {}, options = {}) {
	go(new URL(href(name, params), document.baseURI), Boolean(options.replace));
}

/**
 * Changes parameters of the screen that is open; `null` removes one.
 * @param {Record<string, string | number | null | undefined>} changes
 * @param {{replace?: boolean}} [options]
 */
export function setParams(changes, options = {}) {
	const { name, params } = route.get();
	navigate(name, { ...params, ...changes }, options);
}

/**
 * @param {URL} url
 * @param {boolean} replace
 */
function go(url, replace) {
	if (url.href === location.href) {
		route.set(read());
		return;
	}
	const changesScreen = url.pathname !== location.pathname;
	history[replace ? 'replaceState' : 'pushState'](null, '', url.href);
	route.set(read());
	if (changesScreen) {
		scrollTo(0, 0);
	}
}

export function startRouter() {
	addEventListener('popstate', () => route.set(read()));
	document.addEventListener('click', (event) => {
		if (event.defaultPrevented || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) {
			return;
		}
		const target = /** @type {Element} */ (event.target);
		const link = target.closest ? /** @type {HTMLAnchorElement | null} */ (target.closest('a[href]')) : null;
		if (!link || link.target || link.hasAttribute('download') || link.origin !== location.origin
				|| !link.pathname.startsWith(root) || link.pathname.startsWith(root + 'api/')) {
			return;
		}
		event.preventDefault();
		go(new URL(link.href), false);
	});
}
