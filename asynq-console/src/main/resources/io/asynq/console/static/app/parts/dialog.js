import { post } from '../api.js';
import { config } from '../config.js';
import { number, t } from '../format.js';
import { html, useEffect, useId, useLayoutEffect, useRef, useState } from '../lib.js';
import { store, useStore } from '../store.js';
import { Button, Copy, Skeleton, visible } from './ui.js';

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

/** Above this many tasks the queue's name has to be typed, if they are deleted or of several queues. */
const TYPE_ABOVE = 100;

/**
 * @typedef {object} Question
 * @property {string} title
 * @property {any} [text] what will happen
 * @property {any} [detail] to what
 * @property {string} [button] the name of what is confirmed
 * @property {boolean} [danger]
 * @property {string | null} [q] the queue; its name is typed if more than 100 tasks are deleted. null: of all queues
 * @property {number} [count] how many tasks, if known
 * @property {object} [preview] body of `tasks/preview`, which counts first
 * @property {string} [refused] why the last attempt was refused
 * @property {boolean} [empty] it can be done to nothing too
 * @property {boolean} [type] the name has to be typed however few tasks there are
 * @property {{name: string, text: string, hint?: string, checked?: boolean}[]} [options] further choices
 */

/**
 * Asks before something is done. Counts first if it has to, and asks for a reason if the application wants one. For many deletes
 * and for tasks of several queues a word has to be typed, too.
 * @param {Question} question
 * @returns {Promise<undefined | {reason?: string, confirm?: string, expectedCount?: number, options: Record<string, boolean>}>}
 */
export function confirm(question) {
	return ask((close) => html`<${Confirm} question=${question} close=${close} />`);
}

/**
 * The field is there only once the tasks are counted: the focus follows it.
 * @param {HTMLElement | null} input
 */
function focus(input) {
	if (input && !input.dataset.seen) {
		input.dataset.seen = 'yes';
		input.focus();
	}
}

/**
 * What has to be typed for a queue, or for all.
 * @param {string | null | undefined} q
 */
function wordFor(q) {
	return q === null || q === undefined ? t('confirm.allQueues') : q;
}

/** @param {{question: Question, close: (answer?: any) => void}} props */
function Confirm({ question, close }) {
	const [count, setCount] = useState(/** @type {any} */ (question.preview ? null
		: question.count === undefined ? { none: true } : { count: question.count, exact: true }));
	const [error, setError] = useState('');
	const [typed, setTyped] = useState('');
	const [reason, setReason] = useState('');
	const [options, setOptions] = useState(/** @type {Record<string, boolean>} */ (
		Object.fromEntries((question.options || []).map((option) => [option.name, Boolean(option.checked)]))));
	useEffect(() => {
		if (question.preview) {
			post('tasks/preview', question.preview).then(setCount, (e) => setError(e.message));
		}
	}, []);
	const word = wordFor(question.q);
	const grave = question.danger || question.q === null;
	const mustType = question.type || (grave && count && !count.none && (count.count > TYPE_ABOVE || count.exact === false));
	const nothing = !question.empty && count && !count.none && count.count === 0 && count.exact !== false;
	const ready = count !== null && !nothing && (!mustType || typed === word || typed === visible(word))
		&& (!config.requireReason || reason.trim() !== '');
	/** @param {Event} event */
	function submit(event) {
		event.preventDefault();
		if (ready) {
			close({ options, ...(reason.trim() && { reason: reason.trim() }), ...(mustType && { confirm: word }),
				...(count && !count.none && { expectedCount: count.count }) });
		}
	}
	const footer = html`<button type="button" class="button" data-autofocus onClick=${() => close()}>${t('common.cancel')}</button>
		<button type="submit" form="confirm-form" class=${`button ${question.danger ? 'button-danger' : 'button-primary'}`}
			disabled=${!ready}>${
			question.button || t('common.confirm')}
				${count && !count.none ? ` (${count.exact === false ? '≥ ' : ''}${number(count.count)})` : ''}</button>`;
	return html`<${Dialog} title=${question.title} onClose=${() => close()} footer=${footer}>
		<form id="confirm-form" onSubmit=${submit}>
			${question.refused && html`<p class="error-text" role="alert">${question.refused}</p>`}
			${question.text && html`<p>${question.text}</p>`}
			${question.detail}
			<div class="confirm-count" aria-live="polite">
				${error && html`<p class="error-text" role="alert">${error}</p>`}
				${count === null && !error && html`<${Skeleton} lines=${1} />`}
				${count && !count.none && html`<p><strong class="big-number">${count.exact === false ? '≥ ' : ''}
					${number(count.count)}</strong> ${t('confirm.tasks', { n: count.count })}${
					count.exact === false ? html` <span class="muted">
						${t('confirm.scanned', { scanned: count.scanned, total: count.total })}</span>` : ''}</p>`}
				${nothing && html`<p class="muted">${t('confirm.nothing')}</p>`}
			</div>
			${(question.options || []).map((option) => html`<label class="check" key=${option.name}>
				<input type="checkbox" checked=${options[option.name]}
				onChange=${(e) => setOptions({ ...options, [option.name]: e.target.checked })} />
				<span>${option.text}${option.hint && html`<small>${option.hint}</small>`}</span></label>`)}
			${mustType && !nothing && html`<label class="field"><span>${t('confirm.type')} <code class="wrap">${visible(word)}</code>
				${word.length > 60 && html`<${Copy} text=${word} />`}</span>
				<input class="input mono" value=${typed} ref=${focus} autocomplete="off" spellcheck="false"
					onInput=${(e) => setTyped(e.target.value)} /></label>`}
			${config.requireReason && html`<label class="field"><span>${t('confirm.reason')}</span>
				<input class="input" value=${reason} maxlength="500" required onInput=${(e) => setReason(e.target.value)} /></label>`}
		</form>
	<//>`;
}
