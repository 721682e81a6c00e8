import { html } from '../lib.js';
import { store, useStore } from '../store.js';
import { t } from '../text.js';

/** @typedef {{key: number, text: string, kind: string, link?: {href: string, text: string}}} Toast */

/** @type {import('../store.js').Store<Toast[]>} */
const toasts = store(/** @type {Toast[]} */ ([]));
let last = 0;

/**
 * Says how something went. Errors stay until they are closed.
 * @param {string} text
 * @param {{kind?: 'ok' | 'bad', link?: {href: string, text: string}}} [options]
 */
export function toast(text, options = {}) {
	const key = ++last;
	const kind = options.kind || 'ok';
	toasts.update((all) => [...all.slice(-3), { key, text, kind, link: options.link }]);
	if (kind !== 'bad') {
		setTimeout(() => dismiss(key), options.link ? 10000 : 5000);
	}
}

/** @param {number} key */
function dismiss(key) {
	toasts.update((all) => all.filter((one) => one.key !== key));
}

export function Toasts() {
	const all = useStore(toasts);
	return html`<div class="toasts" role="status" aria-live="polite">
		${all.map((one) => html`<div key=${one.key} class=${`toast toast-${one.kind}`}>
		<span>${one.text}${one.link && html` <a href=${one.link.href}>${one.link.text}</a>`}</span>
		<button type="button" class="button button-quiet button-small" aria-label=${t('common.close')} onClick=${() => dismiss(one.key)}>
			×</button>
	</div>`)}</div>`;
}
