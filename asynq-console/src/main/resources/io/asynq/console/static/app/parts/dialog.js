import { html, useId, useLayoutEffect, useRef } from '../lib.js';
import { store, useStore } from '../store.js';
import { t } from '../text.js';
import { Button } from './ui.js';

/**
 * A modal window. The browser keeps the focus inside, closes it by Escape and gives the focus back.
 * @param {{title: any, onClose: () => void, wide?: boolean, class?: string, children?: any, footer?: any}} props
 */
export function Dialog({ title, onClose, wide = false, class: name = '', children, footer }) {
	const element = useRef(/** @type {HTMLDialogElement | null} */ (null));
	const id = useId();
	// Not a later effect: keys go to it as soon as it is seen, and to what was before as soon as it is gone
	useLayoutEffect(() => {
		const dialog = /** @type {HTMLDialogElement} */ (element.current);
		const before = /** @type {HTMLElement | null} */ (document.activeElement);
		dialog.showModal();
		const first = /** @type {HTMLElement | null} */ (dialog.querySelector('[data-autofocus]'));
		if (first) {
			first.focus();
		}
		return () => {
			if (dialog.open) {
				dialog.close();
			}
			if (before && before.isConnected) {
				before.focus({ preventScroll: true });
			}
		};
	}, []);
	/** @param {Event} event */
	function cancel(event) {
		event.preventDefault();
		onClose();
	}
	return html`<dialog ref=${element} class=${`dialog ${wide ? 'dialog-wide' : ''} ${name}`} aria-labelledby=${id} onCancel=${cancel}
		onMouseDown=${(event) => event.target === element.current && !wide && onClose()}>
		<div class="dialog-box">
			<header class="dialog-head"><h2 id=${id}>${title}</h2>
				<${Button} kind="quiet" small label=${t('common.close')} onClick=${onClose}>×<//></header>
			<div class="dialog-body">${children}</div>
			${footer && html`<footer class="dialog-foot">${footer}</footer>`}
		</div>
	</dialog>`;
}

/** @typedef {{key: number, draw: (close: (answer?: any) => void) => any, answer: (answer: any) => void}} Open */

/** @type {import('../store.js').Store<Open[]>} */
const open = store(/** @type {Open[]} */ ([]));
let last = 0;

/**
 * Opens a dialog from anywhere and waits for its answer; `undefined` if it was closed.
 * @param {(close: (answer?: any) => void) => any} draw what draws it, given the function that closes it with an answer
 * @returns {Promise<any>}
 */
export function ask(draw) {
	return new Promise((resolve) => {
		open.update((all) => [...all, { key: ++last, draw, answer: resolve }]);
	});
}

/** The dialogs that `ask` has opened. */
export function Dialogs() {
	const all = useStore(open);
	return all.map((one) => html`<${Asked} key=${one.key} one=${one} />`);
}

/** @param {{one: Open}} props */
function Asked({ one }) {
	return one.draw((answer) => {
		open.update((all) => all.filter((other) => other !== one));
		one.answer(answer);
	});
}
