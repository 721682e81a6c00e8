import { get } from './api.js';
import { html, useEffect, useId, useRef, useState } from './lib.js';
import { liveOverview } from './live.js';
import { closeOverlay } from './overlays.js';
import { Dialog } from './parts/dialog.js';
import { State, visible } from './parts/ui.js';
import { shorten, t } from './format.js';
import { href, navigate } from './router.js';
import { screens } from './screens/registry.js';
import { useStore } from './store.js';

/** @typedef {{kind: string, text: string, note?: any, screen: string, params: Record<string, string>}} Hit */

/** Jumps to any queue, task id, type or screen. */
export function Palette() {
	const overview = useStore(liveOverview);
	const [text, setText] = useState('');
	const [found, setFound] = useState(/** @type {{for: string, queues: any[], tasks: any[], types: any[]}} */ (
		{ for: '', queues: [], tasks: [], types: [] }));
	const [at, setAt] = useState(0);
	const [error, setError] = useState('');
	const list = useRef(/** @type {HTMLElement | null} */ (null));
	const id = useId();
	useEffect(() => {
		const wanted = text.trim();
		if (!wanted) {
			return undefined;
		}
		const own = new AbortController();
		const timer = setTimeout(() => {
			get('search', { text: wanted }, { signal: own.signal }).then(
				(answer) => {
					setFound({ for: wanted, queues: answer.queues || [], tasks: answer.tasks || [], types: answer.types || [] });
					setError('');
				},
				(e) => own.signal.aborted || setError(e.message));
		}, 150);
		return () => {
			clearTimeout(timer);
			own.abort();
		};
	}, [text]);
	const hits = collect(text.trim(), overview, found);
	const index = Math.min(at, Math.max(0, hits.length - 1));
	useEffect(() => {
		const option = list.current && list.current.querySelector('[aria-selected=true]');
		if (option) {
			option.scrollIntoView({ block: 'nearest' });
		}
	}, [index, hits.length]);
	/** @param {Hit} hit */
	function open(hit) {
		closeOverlay();
		navigate(hit.screen, hit.params);
	}
	/** @param {KeyboardEvent} event */
	function key(event) {
		if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
			event.preventDefault();
			setAt((index + (event.key === 'ArrowDown' ? 1 : hits.length - 1)) % Math.max(1, hits.length));
		}
		else if (event.key === 'Enter' && hits[index]) {
			event.preventDefault();
			open(hits[index]);
		}
	}
	return html`<${Dialog} title=${t('palette.title')} class="palette" onClose=${closeOverlay}>
		<input class="input palette-input" data-autofocus type="text" autocomplete="off" spellcheck="false"
			placeholder=${t("palette.placeholder")}
			role="combobox" aria-label=${t('palette.placeholder')} aria-expanded="true" aria-controls=${id}
				aria-activedescendant=${hits[index] ? `${id}-${index}` : undefined}
			value=${text} onInput=${(e) => {
		setText(e.target.value);
		setAt(0);
	}} onKeyDown=${key} />
		<ul class="palette-list" role="listbox" id=${id} ref=${list} aria-label=${t('palette.results')}>
			${hits.map((hit, i) => html`<li key=${hit.screen + JSON.stringify(hit.params)} id=${`${id}-${i}`}
			role="option" aria-selected=${String(i === index)} onMouseMove=${() => setAt(i)} onClick=${() => open(hit)}
				title=${href(hit.screen, hit.params).slice(0, 300)}>
			<span class="palette-kind">${t('palette.' + hit.kind)}</span><span class=${hit.kind === 'screen' ? '' : 'mono'}>
				${visible(shorten(hit.text, 80))}</span><span class="palette-note">${hit.note}</span></li>`)}</ul>
		<p class="palette-foot" role="status">${error
			|| (hits.length === 0 ? (found.for === text.trim() ? t('palette.nothing') : t('common.loading')) : t('palette.hint'))}</p>
	<//>`;
}

/**
 * @param {string} text
 * @param {any} overview
 * @param {{for: string, queues: any[], tasks: any[], types: any[]}} found
 * @returns {Hit[]}
 */
function collect(text, overview, found) {
	const lower = text.toLowerCase();
	/** @type {Hit[]} */
	const hits = screens.filter((one) => one.group && t('screen.' + one.name).toLowerCase().includes(lower))
		.map((one) => ({ kind: 'screen', text: t('screen.' + one.name), screen: one.name, params: {},
			note: one.key ? `g ${one.key}` : '' }));
	const names = new Set(((overview && overview.queues) || []).map((line) => line.queue)
		.filter((name) => name.toLowerCase().includes(lower)));
	if (text && found.for === text) {
		found.queues.forEach((queue) => names.add(typeof queue === 'string' ? queue : queue.queue));
		for (const task of found.tasks) {
			hits.unshift({ kind: 'task', text: task.id, screen: 'task', params: { q: task.queue, id: task.id },
				note: html`<${State} state=${task.state} waits=${task.waitsFor} /> ${visible(shorten(task.queue, 24))}` });
		}
	}
	/** @type {Hit[]} */
	const queues = [...names].slice(0, 30).map((name) => ({ kind: 'queue', text: name, screen: 'queue', params: { q: name } }));
	/** @type {Hit[]} */
	const types = text && found.for === text ? found.types.map((type) => {
		const name = typeof type === 'string' ? type : type.type;
		const queue = typeof type === 'string' ? '' : type.queue || '';
		return { kind: 'type', text: name, note: queue, screen: queue ? 'queue' : 'failures',
			params: /** @type {Record<string, string>} */ (queue ? { q: queue, filter: `type:${quoted(name)}` } : { type: name }) };
	}) : [];
	return text ? [...queues.filter((one) => one.text === text), ...hits, ...queues.filter((one) => one.text !== text), ...types]
		: [...hits, ...queues];
}

/**
 * A filter's value, in quotation marks where it needs them.
 * @param {string} value
 */
export function quoted(value) {
	return /[\s"\\]/.test(value) ? `"${value.replace(/[\\"]/g, '\\$&')}"` : value;
}
