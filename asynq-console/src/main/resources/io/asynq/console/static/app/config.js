/**
 * What the server says about this page and this user.
 * @typedef {object} Config
 * @property {string} base path of the console, without a slash at its end
 * @property {string} access
 * @property {string | null} [principal]
 * @property {{look: boolean, act: boolean, admin: boolean}} authorities
 * @property {{header?: string, parameter?: string, token?: string, cookie?: string} | null} [csrf]
 * @property {boolean} showPayloads
 * @property {boolean} requireReason
 * @property {number} refreshMillis
 * @property {number} scanLimit
 * @property {string} assets
 * @property {string} version
 * @property {string} title
 */

/**
 * @param {Document} page
 * @returns {Config}
 */
function read(page) {
	const element = page.getElementById('config');
	return Object.assign({ base: '', access: 'read-only', authorities: { look: true, act: false, admin: false },
		showPayloads: true, requireReason: false, refreshMillis: 2000, scanLimit: 10000, assets: '', version: '',
		title: 'asynq' }, JSON.parse((element && element.textContent) || '{}'));
}

/** @type {Config} */
export const config = read(document);

/**
 * Whether this user may do it. The server decides; this only spares buttons that it would refuse.
 * @param {'look' | 'act' | 'admin'} authority
 */
export function may(authority) {
	return Boolean(config.authorities && config.authorities[authority]);
}

/**
 * Reads the page again, which has a fresh CSRF token after a new login.
 * @returns {Promise<boolean>} whether the session still goes on
 */
export async function refreshConfig() {
	const response = await fetch(document.baseURI, { headers: { Accept: 'text/html' }, redirect: 'manual' });
	if (!response.ok) {
		// A login page, or nothing at all: 0 is a redirect
		return response.status !== 0 && response.status !== 401;
	}
	const page = new DOMParser().parseFromString(await response.text(), 'text/html');
	if (!page.getElementById('config')) {
		return false;
	}
	Object.assign(config, read(page));
	return true;
}
