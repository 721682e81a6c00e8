import { get } from '../api.js';
import { may } from '../config.js';
import { Ago, number, shorten, t } from '../format.js';
import { html, useEffect, useState } from '../lib.js';
import { href, navigate } from '../router.js';
import { useKeys } from '../shortcuts.js';
import { useStore } from '../store.js';
import { actOnGroups, writes } from '../actions.js';
import { Table } from './table.js';
import { AsOf, Button, Empty, Failed, Panel, QueueLink, Screen, Skeleton, State, TaskLink, visible } from './ui.js';

/**
 * All tasks of a group of failures, newest first, page by page.
 * @param {{params: Record<string, string>}} props
 */
export function FailureTasks({ params }) {
	const asked = { queue: params.queue || '', state: params.state || '' };
	const [list, setList] = useState(/** @type {any} */ (null));
	const [error, setError] = useState(/** @type {any} */ (null));
	const written = useStore(writes);
	/** @param {string} [cursor] */
	async function read(cursor) {
		try {
			const page = await get('failures/tasks', { ...asked, failure: params.group, cursor });
			setList((/** @type {any} */ old) => cursor && old ? { ...page, type: old.type ?? page.type,
				signature: old.signature ?? page.signature, entries: joined(old.entries, page.entries) } : page);
			setError(null);
		}
		catch (e) {
			setError(e);
		}
	}
	useEffect(() => {
		read();
	}, [written, params.queue, params.state]);
	useKeys({ r: () => read() });
	const back = html`<a class="button" href=${href('failures', { ...params, group: null })}>${t('failures.back')}</a>`;
	const scanned = list && t('failures.scanned', { scanned: list.scanned, total: Math.max(list.scanned, list.total) });
	return html`<${Screen} title=${list && list.type ? visible(shorten(list.type, 80)) : t('failures.tasks')}
		sub=${list && html`<${AsOf} at=${list.asOf} exact=${list.complete} note=${scanned} />`}
		actions=${html`${back}<${Button} onClick=${() => read()}>${t('common.refresh')}<//>`}>
		${list && list.signature && html`<p class="mono wrap">${visible(list.signature)}</p>`}
		${(asked.queue || asked.state) && html`<p class="muted">
			${t('failures.only')} ${asked.queue && html`<${QueueLink} q=${asked.queue} />`} ${
			asked.state && html`<${State} state=${asked.state} />`}</p>`}
		${list && list.type && may('act') && html`<div class="row">${ACTIONS.filter((action) =>
			action !== 'archive' || asked.state !== 'archived').map((action) => html`<${Button} key=${action} small
			kind=${action === 'delete' ? 'danger' : 'plain'} onClick=${() => actOnGroups(action, [list], asked)}>${
			t('actions.' + action)}<//>`)}</div>`}
		<${Panel} flush>
			${error ? html`<${Failed} error=${error} retry=${() => read()} />` : !list ? html`<${Skeleton} lines=${8} />`
		: html`<${Table} label=${t('failures.tasks')} columns=${COLUMNS} rows=${list.entries} keyOf=${key}
				onOpen=${(/** @type {any} */ task) => navigate('task', { q: task.queue, id: task.id })}
				empty=${html`<${Empty} title=${t(list.complete ? 'failures.noTask' : 'failures.noneYet')} />`} />`}
			${list && list.next && html`<div class="pad row"><${Button} onClick=${() => read(list.next)}>${t('failures.goOn')}<//>
				<span class="muted">${t('failures.listed', { n: list.entries.length })}</span></div>`}
		<//>
	<//>`;
}

/** @type {('run' | 'archive' | 'delete')[]} */
const ACTIONS = ['run', 'archive', 'delete'];

/** @type {import('./table.js').Column<any>[]} */
const COLUMNS = [
	{ key: 'id', title: t('queue.id'), class: 'id-cell',
		draw: (task) => html`<${TaskLink} q=${task.queue} id=${task.id} max=${18} />` },
	{ key: 'queue', title: t('failures.queue'), draw: (task) => html`<${QueueLink} q=${task.queue} state=${task.state} max=${28} />` },
	{ key: 'state', title: t('failures.state'), class: 'tight', draw: (task) => html`<${State} state=${task.state} />` },
	{ key: 'error', title: t('queue.lastError'), class: 'wide', draw: (task) => html`<span class="clip mono error-line"
		title=${shorten(task.lastError || '', 1500)}>${visible(shorten((task.lastError || '').split('\n')[0], 240))}</span>` },
	{ key: 'failed', title: t('queue.failedAt'), class: 'tight',
		draw: (task) => task.lastFailedAt ? html`<${Ago} value=${task.lastFailedAt} />`
		: html`<span class="muted">–</span>` },
	{ key: 'retried', title: t('queue.retried'), class: 'tight low', draw: (task) => html`<span class="num">${number(task.retried)} / ${
		number(task.maxRetry)}</span>` },
];

/** @param {any} task */
const key = (task) => `${task.queue}\n${task.id}`;

/**
 * A task that has moved between two reads is listed once.
 * @param {any[]} old
 * @param {any[]} next
 */
function joined(old, next) {
	const known = new Set(old.map(key));
	return [...old, ...next.filter((task) => !known.has(key(task)))];
}
