import { messages } from '../messages.js';

/** The language of the page, and so of its texts: what counts and numbers follow. */
export const language = document.documentElement.lang;

const plural = new Intl.PluralRules(language);

/**
 * The text of a key such as `queue.empty`. `{name}` is replaced; of a text with forms such as `one` and `other`, `n`
 * chooses one by the rules of the language. A key without a text is shown as it is, so that it is seen.
 * @param {string} key
 * @param {Record<string, string | number>} [values]
 * @returns {string}
 */
export function t(key, values = {}) {
	/** @type {any} */
	let found = messages;
	for (const part of key.split('.')) {
		found = found === undefined || found === null ? undefined : found[part];
	}
	if (found && typeof found === 'object' && 'other' in found) {
		found = found[plural.select(Number(values.n))] || found.other;
	}
	if (typeof found !== 'string') {
		return key;
	}
	return found.replace(/\{(\w+)\}/g, (whole, name) => {
		const value = values[name];
		return value === undefined ? whole : typeof value === 'number' ? value.toLocaleString(language) : value;
	});
}

/**
 * @param {string} key
 * @returns {boolean}
 */
export function hasText(key) {
	return t(key) !== key;
}
