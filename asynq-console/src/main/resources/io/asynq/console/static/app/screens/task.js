import { apiUrl, post } from '../api.js';
import { actOnIds, clean, writes } from '../actions.js';
import { config, may } from '../config.js';
import { useData } from '../data.js';
import { For, Time, bytes, duration, number, seconds, shorten, t } from '../format.js';
import { html, useEffect, useState } from '../lib.js';
import { Content, asBase64, asText, contentBytes } from '../parts/content.js';
import { Dialog, ask } from '../parts/dialog.js';
import { openEnqueue } from '../parts/enqueue.js';
import { AsOf, Badge, Button, Copy, Empty, Facts, Failed, Name, Panel, QueueLink, Screen, Skeleton, State, toast,
	visible } from '../parts/ui.js';
import { href, navigate } from '../router.js';
import { useKeys } from '../shortcuts.js';
import { useStore } from '../store.js';

/** Larger payloads are not put into a form: five megabytes in a text field hurt. */
const EDITABLE = 256 * 1024;

/** @param {{params: Record<string, string>}} props */
export default function Task({ params }) {
	const q = params.q || '';
	const id = params.id || '';
	const read = useData('task', { q, id }, { every: 10000 });
	const written = useStore(writes);
	useEffect(() => {
		if (written > 0) {
			read.reload();
		}
	}, [written]);
	useKeys({ r: () => read.reload() });
	const title = html`<span class="mono">${visible(shorten(id, 120))}</span>`;
	const data = read.data;
	if (!data) {
		return html`<${Screen} title=${title}>${!read.error ? html`<${Skeleton} lines=${10} />`
			: read.error.status === 404 ? html`<${Empty} title=${t('task.notFound')}>
				${t('task.notFoundHint')} <a href=${href('queue', { q })}>${t('task.back')}</a><//>`
			: html`<${Failed} error=${read.error} retry=${read.reload} />`}<//>`;
	}
	const task = data.task;
	const gone = read.error && read.error.status === 404;
	return html`<${Screen} title=${html`${title} <${Copy} text=${id} />`}
		sub=${html`<span class="row"><${State} state=${task.state} orphaned=${task.orphaned} waits=${task.waitsFor} />
		<${Name} text=${task.type} max=${80} />
		<span>${t('task.inQueue')} <${QueueLink} q=${task.queue} state=${task.state} /></span><${AsOf} at=${data.asOf} /></span>`}
		actions=${may('act') && !gone && html`<${Actions} data=${data} />`}>
		${gone && html`<div class="notice" role="alert"><strong>${t('task.gone')}</strong> ${t('task.goneHint')}</div>`}
		<div class="cols cols-wide-aside">
			<div class="stack">
				${(task.waitsFor || []).length > 0
					&& html`<div class="notice" role="status"><strong>${t('task.waits')}</strong> <span class="mono wrap">
					${visible(shorten(task.waitsFor.join(', '), 600))}</span> ${t('task.waitsHint')}</div>`}
				${task.lastError && html`<${Panel} flush title=${t('task.lastError')}
					aside=${html`<span class="row">${task.lastFailedAt && html`<${Time} value=${task.lastFailedAt} />`}
					<${Copy} text=${task.lastError} /></span>`}>
					<pre class="content error-content" tabindex="0" aria-label=${t('task.lastError')}>${task.lastError}</pre><//>`}
				<${Content} q=${q} id=${id} part="payload" content=${data.payload} />
				${data.result && html`<${Content} q=${q} id=${id} part="result" content=${data.result} />`}
				<${Shell} commands=${{ ...data.commands, curl: curl(q, id) }} />
			</div>
			<aside class="stack">
				<${Panel} title=${t('task.fields')}><${Facts} rows=${fields(task)} /><//>
				<${Runs} data=${data} />
				<${Headers} headers=${data.headers || task.headers || {}} />
			</aside>
		</div>
	<//>`;
}

/**
 * @param {any} task
 * @returns {any[]}
 */
function fields(task) {
	// When such a task is due says nothing: it runs as soon as the limit has a token for it
	const waits = (task.waitsFor || []).length > 0;
	const span = (value, none) => (seconds(value) ? html`<span title=${String(value)}>${duration(value)}</span>`
		: html`<span class="muted">${none}</span>`);
	return [
		[t('task.id'), html`<span class="mono wrap">${visible(shorten(task.id, 1200))}</span>`],
		[t('task.queue'), html`<${QueueLink} q=${task.queue} max=${80} />`],
		[t('task.type'), html`<span class="mono wrap">${visible(shorten(task.type, 1200))}</span>`],
		[t('task.state'), html`<${State} state=${task.state} orphaned=${task.orphaned} waits=${task.waitsFor} />`],
		[t('task.retried'), t('task.retriedText', { retried: number(task.retried), max: number(task.maxRetry) })],
		task.lastFailedAt && [t('task.lastFailedAt'), html`<${Time} value=${task.lastFailedAt} />`],
		task.state !== 'pending' && !waits && task.nextProcessAt
			&& [t('task.nextProcessAt'), html`<${Time} value=${task.nextProcessAt} />`],
		task.pendingSince && [t('task.pendingSince'), html`<${Time} value=${task.pendingSince} relative=${false} />
			<span class="muted">, </span>${t('task.since')} <${For} since=${task.pendingSince} />`],
		[t('task.timeout'), span(task.timeout, t('task.noTimeout'))],
		[t('task.deadline'), task.deadline ? html`<${Time} value=${task.deadline} />`
			: html`<span class="muted">${t('task.noTimeout')}</span>`],
		task.group && [t('task.group'), html`<span class="mono wrap">${visible(shorten(task.group, 400))}</span>`],
		[t('task.retention'), span(task.retention, t('task.notKept'))],
		task.completedAt && [t('task.completedAt'), html`<${Time} value=${task.completedAt} />`],
		task.completedAt && seconds(task.retention)
			&& [t('task.expires'), html`<${Time} value=${new Date(Date.parse(task.completedAt) + 1000 * Number(seconds(task.retention)))
			.toISOString()} />`],
	];
}

/** @param {{data: any}} props */
function Runs({ data }) {
	const { worker, lease, uniqueLock: lock } = data;
	const none = (key) => html`<span class="muted">${t(key)}</span>`;
	return html`<${Panel} title=${t('task.runs')}><${Facts} rows=${[
		[t('task.worker'), worker ? html`<span class="mono wrap">${visible(shorten(`${worker.host}:${worker.pid}`, 120))}</span>`
			: none('task.noWorker')],
		worker && worker.startedAt && [t('task.startedAt'),
			html`<${Time} value=${worker.startedAt} relative=${false} /><span class="muted">, </span>
			${t('task.since')} <${For} since=${worker.startedAt} />`],
		worker && worker.deadline && [t('task.deadline'), html`<${Time} value=${worker.deadline} />`],
		[t('task.lease'), lease ? html`<${Badge} kind=${lease.valid ? 'ok' : 'bad'}>
			${t(lease.valid ? 'task.leaseValid' : 'task.leaseEnded')}<//> <${Time} value=${lease.expiresAt} />` : none('task.noLease')],
		[t('task.uniqueLock'), lock ? html`${lock.ttl ? t('task.lockTtl', { ttl: duration(lock.ttl) }) : t('task.lockHeld')}<br />
			<small class="mono wrap">${visible(shorten(lock.key, 300))}</small>` : none('task.noLock')],
	]} /><//>`;
}

/** @param {{headers: Record<string, string | null>}} props */
function Headers({ headers }) {
	const names = Object.keys(headers);
	return html`<${Panel} title=${t('task.headers')} aside=${names.length > 0 && number(names.length)}>
		${names.length === 0 ? html`<p class="muted">${t('task.noHeaders')}</p>`
		: html`<${Facts} rows=${names.map((name) => [html`<span class="mono wrap">${visible(shorten(name, 200))}</span>`,
			html`<span class="mono wrap">${visible(shorten(headers[name] === null ? '–' : String(headers[name]), 2000))}</span>`])} />`}
			<//>`;
}

/**
 * What reads a task in a shell, from where this page is. Nothing in a query ends a text in quotes.
 * @param {string} q
 * @param {string} id
 */
function curl(q, id) {
	return `curl -s '${new URL(apiUrl('task', { q, id }), document.baseURI)}'`;
}

/** @param {{commands: Record<string, string>}} props */
function Shell({ commands }) {
	return html`<${Panel} title=${t('task.commands')}><div class="stack tight-stack">
		${Object.entries(commands).map(([name, text]) => html`<div class="command" key=${name}>
		<span class="small-caps">${t('task.' + name)}</span>
		<code class="wrap">${visible(text)}</code><${Copy} text=${text} label=${t(name === 'cli' ? 'task.copyCli' : 'task.copyCurl')} />
		</div>`)}</div><//>`;
}

/** @param {{data: any}} props */
function Actions({ data }) {
	const { task, actions } = data;
	const can = (name) => (actions || []).includes(name);
	const readable = data.payload && data.payload.shown && !data.payload.sanitized && data.payload.size <= EDITABLE;
	/** @param {'run' | 'archive' | 'delete' | 'cancel'} action */
	async function act(action) {
		const done = await actOnIds(action, { q: task.queue, state: task.state, group: task.group, ids: [task.id] });
		if (done && action === 'delete') {
			navigate('queue', { q: task.queue, state: task.state });
		}
	}
	async function edit() {
		const content = await payload(task, readable, data);
		if (content) {
			await ask((close) => html`<${EditPayload} task=${task} content=${content} close=${close} />`);
		}
	}
	async function clone() {
		const content = readable ? await payload(task, readable, data) : null;
		const created = await openEnqueue({ clone: true, q: task.queue, type: task.type, payload: content ? content.text : '',
			encoding: content ? content.encoding : 'utf8',
			headers: config.showPayloads && data.payload && data.payload.shown ? data.headers : {},
			note: content ? '' : t(data.payload && data.payload.sanitized ? 'enqueue.cleanedPayload' : data.payload && data.payload.shown
			? 'enqueue.large' : 'enqueue.hiddenPayload'),
			options: { maxRetry: String(task.maxRetry), timeout: plain(task.timeout), retention: plain(task.retention),
				group: task.group || '' } });
		if (created && created.id) {
			navigate('task', { q: created.queue || task.queue, id: created.id });
		}
	}
	return html`${['run', 'cancel', 'archive'].map((action) => can(action)
		&& html`<${Button} key=${action} kind=${action === 'archive' ? 'plain' : 'primary'}
		onClick=${() => act(/** @type {any} */ (action))}>${t('actions.' + action)}<//>`)}
		${can('edit-payload') && html`<${Button} disabled=${!readable} title=${readable ? '' : t('task.editLost')} onClick=${edit}>
			${t('task.edit')}<//>`}
		${can('clone') && html`<${Button} onClick=${clone}>${t('task.clone')}<//>`}
		${can('delete') && html`<${Button} kind="danger" onClick=${() => act('delete')}>${t('actions.delete')}<//>`}`;
}

/**
 * A duration as it is typed: 30m, 1h, empty for none.
 * @param {any} value
 */
function plain(value) {
	const all = seconds(value);
	return !all ? '' : all % 3600 === 0 ? `${all / 3600}h` : all % 60 === 0 ? `${all / 60}m` : `${all}s`;
}

/**
 * A task's payload as a form takes it: its text, or its bytes in Base64.
 * @param {any} task
 * @param {boolean} readable
 * @param {any} data
 */
async function payload(task, readable, data) {
	if (!readable) {
		return null;
	}
	if (data.payload.size === 0) {
		return { text: '', encoding: 'utf8', json: false };
	}
	try {
		const content = await contentBytes(task.queue, task.id, 'payload');
		const text = asText(content);
		return text === null ? { text: asBase64(content), encoding: 'base64', json: false }
			: { text, encoding: 'utf8', json: data.payload.format === 'json' };
	}
	catch (e) {
		toast(/** @type {Error} */ (e).message, { kind: 'bad' });
		return null;
	}
}

/** @param {{task: any, content: {text: string, encoding: string, json: boolean}, close: (answer?: any) => void}} props */
function EditPayload({ task, content, close }) {
	const [text, setText] = useState(content.text);
	const [reason, setReason] = useState('');
	const [error, setError] = useState('');
	let warning = '';
	if (content.json) {
		try {
			JSON.parse(text);
		}
		catch (e) {
			warning = t('task.badJson', { error: /** @type {Error} */ (e).message });
		}
	}
	/** @param {Event} event */
	async function submit(event) {
		event.preventDefault();
		try {
			await post('task/update-payload', clean({ q: task.queue, id: task.id, payload: text, encoding: content.encoding, reason },
				['payload']));
			toast(t('task.editDone'));
			writes.update((n) => n + 1);
			close(true);
		}
		catch (e) {
			setError(/** @type {Error} */ (e).message);
		}
	}
	return html`<${Dialog} wide title=${t('task.editTitle')} onClose=${() => close()}
		footer=${html`${error && html`<p class="error-text wrap grow" role="alert">${error}</p>`}<${Button} onClick=${() => close()}>
		${t('common.cancel')}<//><button type="submit" form="edit-form" class="button button-primary">${t('task.save')}</button>`}>
		<form id="edit-form" onSubmit=${submit}>
			<p class="muted">${t('task.editHint')}
				${content.encoding === 'base64' ? ` ${t('enqueue.encoding')} ${t('enqueue.base64')}.`
				: ''} ${bytes(new TextEncoder().encode(text).length)}</p>
			<label class="field"><span>${t('task.payload')}</span>
				<textarea class="input mono" rows="16" spellcheck="false" data-autofocus value=${text}
				onInput=${(e) => setText(e.target.value)}></textarea></label>
			<p class="warn-text" role="status">${warning || '\u00a0'}</p>
			${config.requireReason && html`<label class="field"><span>${t('confirm.reason')}</span>
				<input class="input" required maxlength="500" value=${reason} onInput=${(e) => setReason(e.target.value)} /></label>`}
		</form>
	<//>`;
}
