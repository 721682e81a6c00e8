import { Ago, duration as formatDuration, hasText, number, shorten, t } from '../format.js';
import { html, useEffect, useRef, useState } from '../lib.js';
import { href } from '../router.js';
import { store, useStore } from '../store.js';

export const STATES = ['active', 'pending', 'aggregating', 'scheduled', 'retry', 'archived', 'completed'];

/**
 * The states of a map of sizes in their usual order, with those that only some tasks ever have.
 * @param {Record<string, number> | null | undefined} sizes
 */
export function statesOf(sizes) {
	return [...STATES, ...Object.keys(sizes || {}).filter((state) => !STATES.includes(state) && sizes && sizes[state] > 0)];
}

/**
 * The sizes of a queue, of a line or of all queues. Tasks that wait for a limit are in retry, but have not failed: they stand apart.
 * @param {{sizes?: Record<string, number>, waitingForLimit?: number}} of
 * @returns {Record<string, number>}
 */
export function apart({ sizes = {}, waitingForLimit = 0 }) {
	return waitingForLimit > 0 ? { ...sizes, retry: Math.max(0, (sizes.retry || 0) - waitingForLimit), limited: waitingForLimit } : sizes;
}

/**
 * A screen's heading, what is beside it and its body.
 * @param {{title: any, sub?: any, actions?: any, children?: any}} props
 */
export function Screen({ title, sub, actions, children }) {
	const heading = useRef(/** @type {HTMLElement | null} */ (null));
	useEffect(() => {
		// A reader of the screen hears where a link has led
		if (heading.current && document.activeElement === document.body) {
			heading.current.focus({ preventScroll: true });
		}
	}, []);
	return html`<div class="screen">
		<div class="screen-head">
			<div class="screen-title"><h1 tabindex="-1" ref=${heading}>${title}</h1>
				<div class="screen-sub">${sub}</div></div>
			${actions && html`<div class="screen-actions">${actions}</div>`}
		</div>
		${children}
	</div>`;
}

/**
 * A part of a screen with a small heading.
 * @param {{title?: any, aside?: any, class?: string, flush?: boolean, children?: any}} props
 */
export function Panel({ title, aside, class: name = '', flush = false, children }) {
	return html`<section class=${`panel ${flush ? 'panel-flush' : ''} ${name}`}>
		${title && html`<header class="panel-head"><h2>${title}</h2>${aside && html`<div class="panel-aside">${aside}</div>`}</header>`}
		<div class="panel-body">${children}</div>
	</section>`;
}

/**
 * How old what stands here is, and, where that is known, whether it is exact.
 * @param {{at: string | null | undefined, exact?: boolean, note?: string}} props
 */
export function AsOf({ at, exact, note }) {
	const known = exact === undefined ? [] : [t(exact ? 'common.exact' : 'common.approximate')];
	return html`<span class="as-of">${at && html`<${Ago} value=${at} />`}${[...known, ...(note ? [note] : [])].map((part, i) => html`${
		(at || i > 0) && ' · '}${part}`)}</span>`;
}

/**
 * A number; a tilde says that it is not exact.
 * @param {{value: number | null | undefined, exact?: boolean, title?: string}} props
 */
export function Num({ value, exact = true, title }) {
	return html`<span class="num" title=${title || (exact ? undefined : t('common.atLeast'))}>${exact === false
		&& value !== null && value !== undefined && html`<span class="muted">≥ </span>`}${number(value)}</span>`;
}

/** @param {{value: string | number | null | undefined}} props */
export function Duration({ value }) {
	return html`<span class="num" title=${typeof value === 'string' ? value : undefined}>${formatDuration(value)}</span>`;
}

/**
 * The state of a task.
 * @param {{state: string, orphaned?: boolean, waits?: string[]}} props `waits` are limits that it waits for
 */
export function State({ state, orphaned, waits = [] }) {
	const shown = waits.length > 0 ? 'limited' : state;
	return html`<span class=${`state state-${shown}`} title=${waits.length > 0 ? t('task.waitsHint') : undefined}><i></i>${
		hasText('state.' + shown) ? t('state.' + shown) : shown}${waits.length > 0 && ` ${shorten(waits.join(', '), 60)}`}</span>${
		orphaned && html` <span class="badge badge-bad" title=${t('task.orphanedHint')}>${t('task.orphaned')}</span>`}`;
}

/**
 * @param {{kind?: 'ok' | 'info' | 'warn' | 'bad' | 'plain', title?: string, children?: any}} props
 */
export function Badge({ kind = 'plain', title, children }) {
	return html`<span class=${`badge badge-${kind}`} title=${title}>${children}</span>`;
}

/**
 * A button. `kind`: plain, primary, danger or quiet. While its action runs it waits.
 * @param {{kind?: string, onClick?: (event: any) => any, disabled?: boolean, title?: string, small?: boolean, label?: string,
 * type?: string, pressed?: boolean, class?: string, children?: any}} props
 */
export function Button({ kind = 'plain', onClick, disabled, title, small, label, type = 'button', pressed, class: name = '', children }) {
	const [busy, setBusy] = useState(false);
	const alive = useRef(true);
	useEffect(() => () => {
		alive.current = false;
	}, []);
	/** @param {any} event */
	async function click(event) {
		if (busy || !onClick) {
			return;
		}
		const result = onClick(event);
		if (result && typeof result.then === 'function') {
			setBusy(true);
			try {
				await result;
			}
			finally {
				if (alive.current) {
					setBusy(false);
				}
			}
		}
	}
	return html`<button type=${type} class=${`button button-${kind} ${small ? 'button-small' : ''} ${name}`} disabled=${disabled}
		aria-busy=${busy ? 'true' : undefined} aria-label=${label} aria-pressed=${pressed === undefined ? undefined : String(pressed)}
		title=${title} onClick=${click}>${children}</button>`;
}

/**
 * Copies a text.
 * @param {{text: string, label?: string, children?: any}} props
 */
export function Copy({ text, label, children }) {
	return html`<${Button} kind="quiet" small label=${label || t('common.copy')} title=${label || t('common.copy')} onClick=${
		() => copy(text)}>${children || html`<${Icon} name="copy" />`}<//>`;
}

/** @param {string} text */
export async function copy(text) {
	try {
		await navigator.clipboard.writeText(text);
	}
	catch {
		// No clipboard without TLS: the old way
		const area = document.createElement('textarea');
		area.value = text;
		area.className = 'off-screen';
		document.body.append(area);
		area.select();
		document.execCommand('copy');
		area.remove();
	}
	toast(t('common.copied'));
}

/**
 * A name from Redis: monospaced, cut in the middle if long, whole in its title. Control characters are made visible.
 * @param {{text: string | null | undefined, max?: number, copy?: boolean}} props
 */
export function Name({ text, max = 64, copy: copyable = false }) {
	if (text === null || text === undefined || text === '') {
		return html`<span class="muted">${t('common.none')}</span>`;
	}
	return html`<span class="name mono" title=${shorten(text, 1200)}>${visible(shorten(text, max))}</span>${copyable
		&& html`<${Copy} text=${text} />`}`;
}

/**
 * Line breaks, tabs and marks that turn the direction of text become signs that are seen.
 * @param {string} text
 */
export function visible(text) {
	return text.replace(/[\u0000-\u001f]/g, (c) => String.fromCharCode(0x2400 + c.charCodeAt(0)))
		.replace(/[\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2066-\u2069\ufeff]/g, '\u2426');
}

/** @param {{q: string, state?: string, max?: number}} props */
export function QueueLink({ q, state, max = 40 }) {
	return html`<a class="name mono" title=${shorten(q, 1200)} href=${href('queue', { q, state })}>${visible(shorten(q, max)) || '""'}</a>`;
}

/** @param {{q: string, id: string, max?: number}} props */
export function TaskLink({ q, id, max = 36 }) {
	return html`<a class="name mono" title=${shorten(id, 1200)} href=${href('task', { q, id })}>${visible(shorten(id, max)) || '""'}</a>`;
}

/**
 * What to say instead of an empty list, and what to do.
 * @param {{title: any, children?: any}} props
 */
export function Empty({ title, children }) {
	return html`<div class="empty"><p class="empty-title">${title}</p>${children && html`<div class="empty-hint">${children}</div>`}</div>`;
}

/**
 * A problem in the place of what could not be read.
 * @param {{error: any, retry?: () => any}} props
 */
export function Failed({ error, retry }) {
	return html`<div class="empty" role="alert"><p class="empty-title">${error.title || t('problem.title')}</p>
		<div class="empty-hint">${error.message}</div>
			${retry && html`<p><${Button} onClick=${retry}>${t('common.tryAgain')}<//></p>`}</div>`;
}

/**
 * Keeps the room of what is still being read.
 * @param {{lines?: number}} props
 */
export function Skeleton({ lines = 4 }) {
	return html`<div class="skeleton" role="status" aria-busy="true" aria-label=${t('common.loading')}>
		${Array.from({ length: lines }, (_, i) =>
		html`<i key=${i} class=${'w' + ((i * 37) % 4)}></i>`)}</div>`;
}

/**
 * Shows a `useData` result: room while it is read, the problem, or the content.
 * @param {{of: import('../data.js').Loaded, lines?: number, children: (data: any) => any}} props
 */
export function Await({ of, lines, children }) {
	if (of.data) {
		return children(of.data);
	}
	return of.error ? html`<${Failed} error=${of.error} retry=${of.reload} />` : html`<${Skeleton} lines=${lines} />`;
}

/**
 * Names and values.
 * @param {{rows: (([any, any] | false | null | undefined))[], wide?: boolean}} props
 */
export function Facts({ rows, wide = false }) {
	return html`<dl class=${wide ? 'facts facts-wide' : 'facts'}>
		${rows.map((row) => row && html`<div key=${String(row[0])}><dt>${row[0]}</dt><dd>${row[1]}</dd></div>`)}</dl>`;
}

/**
 * Tabs of one screen: links, so that each has an address.
 * @param {{label: string, tabs: {key: string, text: any, count?: any, href: string, class?: string}[], current: string}} props
 */
export function Tabs({ label, tabs, current }) {
	return html`<nav class="tabs" aria-label=${label}>${tabs.map((tab) => html`<a key=${tab.key} href=${tab.href} class=${tab.class || ''}
		aria-current=${tab.key === current ? 'page' : undefined}>${tab.text}
			${tab.count !== undefined && html` <span class="tab-count">${tab.count}</span>`}</a>`)}</nav>`;
}

/**
 * A few exclusive choices.
 * @param {{label: string, value: string, options: {value: string, text: any, title?: string}[], onChange: (value: string) => void}} props
 */
export function Choice({ label, value, options, onChange }) {
	return html`<div class="choice" role="group" aria-label=${label}>
		${options.map((option) => html`<button type="button" key=${option.value}
		aria-pressed=${String(option.value === value)} title=${option.title} onClick=${() => onChange(option.value)}>
			${option.text}</button>`)}</div>`;
}

/**
 * A share as a bar. `parts` add up to `total`.
 * @param {{parts: {key: string, value: number, class: string, title?: string}[], total: number, label?: string}} props
 */
export function Bar({ parts, total, label }) {
	return html`<div class="bar" role="img" aria-label=${label || parts.filter((p) => p.value > 0)
		.map((p) => `${p.title || p.key} ${number(p.value)}`).join(', ')}>${
		parts.map((part) => part.value > 0 && html`<i key=${part.key} class=${part.class}
			title=${`${part.title || part.key}: ${number(part.value)}`}
			style=${{ width: `${Math.max(total ? (part.value / total) * 100 : 0, 0.6)}%` }}></i>`)}</div>`;
}

/**
 * Small bars of counts over time.
 * @param {{values: number[], label: string}} props
 */
export function Spark({ values, label }) {
	const max = Math.max(1, ...values);
	return html`<span class="spark" role="img" aria-label=${label} title=${label}>${values.map((value, i) => html`<i key=${i}
		style=${{ height: `${value === 0 ? 4 : Math.max(12, (value / max) * 100)}%` }} class=${value === 0 ? 'zero' : ''}></i>`)}</span>`;
}

/** @type {Record<string, string>} */
const ICONS = {
	copy: 'M5 5V2.5A1.5 1.5 0 0 1 6.5 1h6A1.5 1.5 0 0 1 14 2.5v6a1.5 1.5 0 0 1-1.5 1.5H11'
		+ 'M3.5 6h6A1.5 1.5 0 0 1 11 7.5v6A1.5 1.5 0 0 1 9.5 15h-6A1.5 1.5 0 0 1 2 13.5v-6A1.5 1.5 0 0 1 3.5 6z',
	search: 'M7 12A5 5 0 1 0 7 2a5 5 0 0 0 0 10zM10.7 10.7 14 14',
	close: 'M3.5 3.5l9 9M12.5 3.5l-9 9',
	menu: 'M2 4h12M2 8h12M2 12h12',
	overview: 'M2 9h4V2H2zM10 5h4V2h-4zM2 14h4v-2H2zM10 14h4V8h-4z',
	queues: 'M2 3h12M2 6.3h9M2 9.6h12M2 13h6',
	failures: 'M8 1.8 15 14H1zM8 6.3v3.4M8 12v.2',
	periodic: 'M8 15A6.5 6.5 0 1 0 8 2a6.5 6.5 0 0 0 0 13zM8 5v3.5l2.3 1.5',
	servers: 'M2 2.5h12v4H2zM2 9.5h12v4H2zM4.5 4.5h.1M4.5 11.5h.1',
	redis: 'M8 6c3.3 0 6-.9 6-2s-2.7-2-6-2-6 .9-6 2 2.7 2 6 2zM2 4v8c0 1.1 2.7 2 6 2s6-.9 6-2V4M2 8c0 1.1 2.7 2 6 2s6-.9 6-2',
	doctor: 'M8 2v12M2 8h12',
	jobs: 'M2 4l1.5 1.5L6 3M2 11l1.5 1.5L6 10M8.5 4.5H14M8.5 11.5H14',
	sun: 'M8 11a3 3 0 1 0 0-6 3 3 0 0 0 0 6zM8 1v1.5M8 13.5V15M1 8h1.5M13.5 8H15M3 3l1 1M12 12l1 1M3 13l1-1M12 4l1-1',
	moon: 'M13.5 9.5A6 6 0 0 1 6.5 2.5a6 6 0 1 0 7 7z',
	system: 'M2 3h12v8H2zM5.5 14h5',
	keyboard: 'M1.5 4h13v8h-13zM4 6.5h.1M6.5 6.5h.1M9 6.5h.1M11.5 6.5h.1M5 9.5h6',
	chevron: 'M6 3.5 10.5 8 6 12.5',
	download: 'M8 2v8M4.5 7 8 10.5 11.5 7M2.5 14h11',
	refresh: 'M13.5 8a5.5 5.5 0 1 1-1.6-3.9M13.5 1.5v3h-3',
};

/**
 * A drawing that repeats what a text says.
 * @param {{name: string}} props
 */
export function Icon({ name }) {
	return html`<svg class="icon" viewBox="0 0 16 16" aria-hidden="true" focusable="false"><path d=${ICONS[name] || ''} /></svg>`;
}

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
