import { Problem, post } from '../api.js';
import { clean, writes } from '../actions.js';
import { config } from '../config.js';
import { t, typedTime, zone, zoneLabel } from '../format.js';
import { html, useState } from '../lib.js';
import { liveOverview } from '../live.js';
import { href } from '../router.js';
import { useStore } from '../store.js';
import { Dialog, ask } from './dialog.js';
import { Button, toast } from './ui.js';

/**
 * What a new task begins with.
 * @typedef {{q?: string, type?: string, payload?: string, encoding?: string, headers?: Record<string, string>,
 * options?: Record<string, any>, clone?: boolean, note?: string}} Draft
 */

/**
 * Opens the form for a new task.
 * @param {Draft} draft
 * @returns {Promise<any>} the task, or `undefined`
 */
export function openEnqueue(draft) {
	return ask((close) => html`<${Enqueue} draft=${draft} close=${close} />`);
}

const OPTIONS = ['maxRetry', 'timeout', 'processIn', 'processAt', 'deadline', 'retention', 'unique', 'group', 'taskId'];
const DURATIONS = ['timeout', 'processIn', 'retention', 'unique'];
const MOMENTS = ['processAt', 'deadline'];

/**
 * 1h30m, 90s or an ISO 8601 duration as the latter.
 * @param {string} text
 * @returns {string | null}
 */
export function isoDuration(text) {
	const trimmed = text.trim();
	if (/^-?P/i.test(trimmed)) {
		return trimmed.toUpperCase();
	}
	const m = /^(?:(\d+)\s*d)?\s*(?:(\d+)\s*h)?\s*(?:(\d+)\s*m)?\s*(?:(\d+(?:\.\d+)?)\s*s?)?$/i.exec(trimmed);
	if (!trimmed || !m || (!m[1] && !m[2] && !m[3] && !m[4])) {
		return null;
	}
	const time = `${m[2] ? m[2] + 'H' : ''}${m[3] ? m[3] + 'M' : ''}${m[4] ? m[4] + 'S' : ''}`;
	return `P${m[1] ? m[1] + 'D' : ''}${time ? 'T' + time : ''}`;
}

/** @param {{draft: Draft, close: (answer?: any) => void}} props */
function Enqueue({ draft, close }) {
	const [form, setForm] = useState(/** @type {any} */ ({
		q: draft.q || 'default', type: draft.type || '', payload: draft.payload || '', encoding: draft.encoding || 'utf8',
		headers: Object.entries(draft.headers || {}).map(([name, value]) => `${name}=${value}`).join('\n'), reason: '',
		...(draft.options || {}),
	}));
	const [error, setError] = useState('');
	const [busy, setBusy] = useState(false);
	useStore(zone);
	/** @param {string} name */
	const input = (name) => ({ value: form[name] || '', onInput: (e) => setForm({ ...form, [name]: e.target.value }) });
	/** @param {Event} event */
	async function submit(event) {
		event.preventDefault();
		setError('');
		/** @type {Record<string, string>} */
		const headers = {};
		/** @type {Record<string, any>} */
		const options = {};
		try {
			if (!form.q) {
				throw new Error(t('enqueue.needQueue'));
			}
			if (!form.type.trim()) {
				throw new Error(t('enqueue.needType'));
			}
			form.headers.split('\n').forEach((line, i) => {
				const at = line.indexOf('=');
				if (line.trim() && at < 1) {
					throw new Error(t('enqueue.badHeader', { line: i + 1 }));
				}
				if (line.trim()) {
					headers[line.slice(0, at).trim()] = line.slice(at + 1);
				}
			});
			for (const name of OPTIONS) {
				const value = (form[name] || '').trim();
				if (!value) {
					continue;
				}
				if (DURATIONS.includes(name)) {
					options[name] = isoDuration(value);
					if (!options[name]) {
						throw new Error(t('enqueue.badDuration', { text: value }));
					}
				}
				else {
					options[name] = name === 'maxRetry' ? Number(value) : MOMENTS.includes(name) ? typedTime(value) : value;
				}
			}
		}
		catch (e) {
			setError(/** @type {Error} */ (e).message);
			return;
		}
		setBusy(true);
		try {
			const answer = await post('task/enqueue', clean({ q: form.q, type: form.type, encoding: form.encoding,
				headers, options, reason: form.reason, payload: form.payload }, ['payload']));
			const task = (answer && answer.task) || {};
			writes.update((n) => n + 1);
			toast(t('enqueue.done'), task.id ? { link: { href: href('task', { q: task.queue || form.q, id: task.id }),
				text: t('enqueue.show') } } : {});
			close(task);
		}
		catch (e) {
			setBusy(false);
			setError(e instanceof Problem ? e.message : String(e));
		}
	}
	const overview = liveOverview.get();
	const names = ((overview && overview.queues) || []).map((one) => one.queue).slice(0, 200);
	const footer = html`${error && html`<p class="error-text wrap grow" role="alert">${error}</p>`}<${Button} onClick=${() => close()}>
		${t('enqueue.cancel')}<//>
		<button type="submit" form="enqueue-form" class="button button-primary" disabled=${busy} aria-busy=${busy ? 'true' : undefined}>
			${t('enqueue.submit')}</button>`;
	return html`<${Dialog} wide title=${t(draft.clone ? 'enqueue.cloneTitle' : 'enqueue.title')} onClose=${() => close()} footer=${footer}>
		<form id="enqueue-form" onSubmit=${submit}>
			${draft.note && html`<p class="muted">${draft.note}</p>`}
			<div class="fields fields-2">
				<label class="field"><span>${t('enqueue.queue')}</span>
					<input class="input mono" list="enqueue-queues" autocomplete="off" spellcheck="false" ...${input('q')} /></label>
				<label class="field"><span>${t('enqueue.type')}</span>
					<input class="input mono" data-autofocus autocomplete="off" spellcheck="false" placeholder="email:deliver"
					...${input('type')} /></label>
			</div>
			<datalist id="enqueue-queues">${names.map((name) => html`<option key=${name} value=${name}></option>`)}</datalist>
			<label class="field"><span>${t('enqueue.payload')}</span>
				<textarea class="input mono" spellcheck="false" rows="9" ...${input('payload')}></textarea></label>
			<div class="fields fields-2">
				<label class="field"><span>${t('enqueue.encoding')}</span>
					<select class="input" value=${form.encoding} onChange=${(e) => setForm({ ...form, encoding: e.target.value })}>
					<option value="utf8">${t('enqueue.utf8')}</option><option value="base64">
						${t('enqueue.base64')}</option></select></label>
				<label class="field"><span>${t('enqueue.headers')} <small>${t('enqueue.headersHint')}</small></span>
					<textarea class="input mono short" rows="2" spellcheck="false" ...${input('headers')}></textarea></label>
			</div>
			<h2 class="form-part">${t('enqueue.options')}</h2>
			<div class="fields">${OPTIONS.map((name) => html`<label class="field" key=${name}><span>${t('enqueue.' + name)}
				${MOMENTS.includes(name) && html` <small>${zoneLabel(form[name] || undefined)}</small>`}</span>
				<input class="input mono" autocomplete="off" ...${input(name)}
				type=${name === 'maxRetry' ? 'number' : MOMENTS.includes(name) ? 'datetime-local' : 'text'}
					min=${name === 'maxRetry' ? 0 : undefined} step=${MOMENTS.includes(name) ? 1 : undefined}
					max=${MOMENTS.includes(name) ? '9999-12-31T23:59:59' : undefined}
				placeholder=${DURATIONS.includes(name) ? t('enqueue.durationHint') : name === 'taskId' ? t('enqueue.idHint') : ''} />
					</label>`)}</div>
			${config.requireReason && html`<label class="field"><span>${t('confirm.reason')}</span>
				<input class="input" required maxlength="500" ...${input('reason')} /></label>`}
		</form>
	<//>`;
}
