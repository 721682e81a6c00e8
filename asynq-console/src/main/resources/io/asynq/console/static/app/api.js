import { config, refreshConfig } from './config.js';
import { learnClock, t } from './format.js';
import { address } from './router.js';
import { store } from './store.js';

/**
 * A refusal of the server, as its problem document says it, or a server that did not answer.
 */
export class Problem extends Error {
	/**
	 * @param {number} status
	 * @param {{title?: string, detail?: string, code?: string}} document
	 */
	constructor(status, document) {
		super(document.detail || document.title || t('problem.status', { status }));
		this.status = status;
		this.code = document.code || '';
		this.title = document.title || '';
	}
}

/**
 * How the console stands with its server: `ok`, `server-away`, `redis-away` or `session-ended`.
 * @type {import('./store.js').Store<{state: string, detail: string}>}
 */
export const connection = store({ state: 'ok', detail: '' });

/**
 * @param {string} state
 * @param {string} [detail]
 */
function connectionIs(state, detail = '') {
	const now = connection.get();
	if (now.state !== state || now.detail !== detail) {
		connection.set({ state, detail });
	}
}

// Kept here: the page's configuration may be read again, its scripts are not
const assets = config.assets;

/** Whether an answer has come from another version of the console than this page. */
export const outdated = store(false);

// Tells Spring Security not to ask for a password by HTTP Basic, for which browsers open a window of their own
const BY_SCRIPT = { 'X-Requested-With': 'XMLHttpRequest' };

/**
 * @param {string} path
 * @param {Record<string, string | number | boolean | null | undefined>} [params]
 */
export function apiUrl(path, params = {}) {
	return address('api/v1/' + path, params);
}

/**
 * Reads. A reader that is lost on the way is asked once more; nothing is changed by reading.
 * @param {string} path
 * @param {Record<string, string | number | boolean | null | undefined>} [params]
 * @param {{signal?: AbortSignal}} [options]
 * @returns {Promise<any>}
 */
export async function get(path, params = {}, options = {}) {
	const init = { headers: { Accept: 'application/json', ...BY_SCRIPT }, signal: options.signal };
	try {
		return await exchange(apiUrl(path, params), init);
	}
	catch (e) {
		if (e instanceof Problem && e.status === 0) {
			await new Promise((resolve) => setTimeout(resolve, 400));
			return exchange(apiUrl(path, params), init);
		}
		throw e;
	}
}

// A CSRF token is taken from its cookie or from the page: which of them a host wants is learnt from its answers
let fromPage = false;

/**
 * Writes, once: a write whose answer was lost may have been done. Only one that was refused before it came to the
 * console, for its CSRF token, is tried again: with the other token, then with that of a page read afresh.
 * @param {string} path
 * @param {object} body
 * @returns {Promise<any>}
 */
export async function post(path, body) {
	for (let attempt = 1; ; attempt++) {
		try {
			return await exchange(apiUrl(path), postInit(body));
		}
		catch (e) {
			if (!(e instanceof Problem) || e.status !== 403 || e.code || attempt > 3) {
				throw e;
			}
			fromPage = !fromPage;
			if (attempt === 2 && !(await refreshConfig())) {
				throw sessionEnded();
			}
		}
	}
}

/**
 * @param {object} body
 * @returns {RequestInit}
 */
function postInit(body) {
	/** @type {Record<string, string>} */
	const headers = { 'Accept': 'application/json', 'Content-Type': 'application/json', 'X-Asynq-Console': '1', ...BY_SCRIPT };
	const csrf = config.csrf;
	const kept = csrf && csrf.cookie ? cookie(csrf.cookie) : '';
	const token = csrf && (fromPage ? csrf.token || kept : kept || csrf.token);
	if (csrf && csrf.header && token) {
		headers[csrf.header] = token;
	}
	return { method: 'POST', headers, body: JSON.stringify(body) };
}

/** @param {string} name */
function cookie(name) {
	const found = document.cookie.split('; ').find((part) => part.startsWith(name + '='));
	return found ? decodeURIComponent(found.slice(name.length + 1)) : '';
}

function sessionEnded() {
	connectionIs('session-ended');
	return new Problem(401, { detail: t('problem.session'), code: 'session-ended' });
}

/**
 * An answer that ends halfway is none, whatever its status has promised.
 * @param {Response} response
 */
function body(response) {
	return response.json().catch((e) => {
		if (!response.ok) {
			return null;
		}
		throw lost(e);
	});
}

/** @param {any} e why nothing came */
function lost(e) {
	if (e instanceof DOMException && e.name === 'AbortError') {
		return e;
	}
	connectionIs('server-away');
	return new Problem(0, { detail: t('problem.away') });
}

/**
 * @param {string} url
 * @param {RequestInit} init
 */
async function exchange(url, init) {
	const started = performance.now();
	let response;
	try {
		response = await fetch(url, { credentials: 'same-origin', redirect: 'manual', cache: 'no-store', ...init });
	}
	catch (e) {
		throw lost(e);
	}
	const type = response.headers.get('Content-Type') || '';
	if (response.type === 'opaqueredirect' || response.status === 401 || (response.ok && type.includes('text/html'))) {
		// A login page instead of an answer
		throw sessionEnded();
	}
	const answer = type.includes('json') ? await body(response) : null;
	if (!response.ok) {
		const problem = new Problem(response.status, answer || {});
		if (response.status >= 502 || (response.status === 503 && problem.code !== 'streams')) {
			connectionIs(/redis/.test(problem.code) ? 'redis-away' : 'server-away', problem.message);
		}
		else {
			connectionIs('ok');
		}
		throw problem;
	}
	connectionIs('ok');
	if ((response.headers.get('X-Asynq-Assets') || assets) !== assets) {
		outdated.set(true);
	}
	if (answer && answer.asOf) {
		learnClock(answer.asOf, performance.now() - started);
	}
	return answer;
}
