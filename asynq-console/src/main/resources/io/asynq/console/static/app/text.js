import { messages } from '../messages.js';

const plural = new Intl.PluralRules('en');

/**
 * The text of a key such as `queue.empty`. `{name}` is replaced; a text with the forms `one` and `other` is chosen
 * by `n`. A key without a text is shown as it is, so that it is seen.
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
		return value === undefined ? whole : typeof value === 'number' ? value.toLocaleString('en') : value;
	});
}

/**
 * @param {string} key
 * @returns {boolean}
 */
export function hasText(key) {
	return t(key) !== key;
}
