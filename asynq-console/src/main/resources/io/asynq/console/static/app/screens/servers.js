import { perform } from '../actions.js';
import { post } from '../api.js';
import { may } from '../config.js';
import { useData } from '../data.js';
import { Ago, duration, number, seconds, serverNow, t, useNow } from '../format.js';
import { html, useState } from '../lib.js';
import { confirm } from '../parts/dialog.js';
import { AsOf, Await, Badge, Bar, Button, Empty, Name, Panel, QueueLink, Screen, TaskLink, visible } from '../parts/ui.js';
import { Table } from '../parts/table.js';
import { navigate } from '../router.js';
import { useKeys } from '../shortcuts.js';
import { useSteady } from '../steady.js';

const EVERY = 5000;

/** More columns than this are a list of servers beside the queue instead. */
const MANY = 8;

/** How many seconds a clock may be ahead before it is said. */
const MOST_AHEAD = 1;

/** Who works on what: which queue is covered by whom, and what each server runs. */
export default function Servers() {
	const loaded = useData('servers', {}, { every: EVERY });
	useKeys({ r: loaded.reload });
	return html`<${Screen} title=${t('screen.servers')}
		sub=${loaded.data && html`<${AsOf} at=${loaded.data.asOf} note=${totals(loaded.data.servers)} />`}
		actions=${html`<${Button} onClick=${loaded.reload}>${t('common.refresh')}<//>`}>
		<${Await} of=${loaded} lines=${8}>${(/** @type {any} */ data) => html`
			<${Coverage} servers=${data.servers} coverage=${data.coverage} />
			<${Limits} limits=${data.limits || []} />
			<${Lost} lost=${data.lost || []} />
			${data.servers.length === 0 ? html`<${Panel}><${Empty} title=${t('servers.none')}>${t('servers.noneHint')}<//><//>`
		: data.servers.map((/** @type {any} */ server) => html`<${Server} key=${server.id} server=${server} reload=${loaded.reload} />`)}`}
			<//>
	<//>`;
}

/** @param {any[]} servers */
function totals(servers) {
	const busy = servers.reduce((sum, server) => sum + server.workers.length, 0);
	const slots = servers.reduce((sum, server) => sum + server.concurrency, 0);
	return t('servers.totals', { n: servers.length, busy, slots });
}

/** @param {any} server */
function nameOf(server) {
	return `${server.host}:${server.pid}`;
}

/**
 * Queues by servers. What nobody takes stands first.
 * @param {{servers: any[], coverage: any[]}} props
 */
function Coverage({ servers, coverage }) {
	const rows = useSteady([...coverage].sort((a, b) => Number(a.covered) - Number(b.covered) || b.pending - a.pending
		|| a.queue.localeCompare(b.queue)), (row) => row.queue);
	if (coverage.length === 0) {
		return null;
	}
	const uncovered = rows.filter((row) => !row.covered);
	const weight = (/** @type {any} */ server, /** @type {string} */ queue) => (server.queues || {})[queue];
	/** @type {any[]} */
	const columns = [
		{ key: 'queue', title: t('servers.queue'), class: 'wide', draw: (/** @type {any} */ row) => html`<${QueueLink} q=${row.queue} />` },
		{ key: 'covered', title: t('servers.covered'),
			draw: (/** @type {any} */ row) => html`<span><${Badge} kind=${row.covered ? 'ok' : row.pending > 0 ? 'bad' : 'warn'}>${
			row.covered ? t('servers.yes') : t('servers.no')}<//></span>` },
		{ key: 'pending', title: t('state.pending'), class: 'num', draw: (/** @type {any} */ row) => number(row.pending) },
		...(servers.length <= MANY ? servers.map((server) => ({ key: server.id, class: 'num', title: visible(nameOf(server)).slice(-24),
			draw: (/** @type {any} */ row) => (weight(server, row.queue)
				? html`<strong title=${t('servers.weight')}>${weight(server, row.queue)}</strong>`
				: html`<span class="muted">–</span>`) }))
			: [{ key: 'servers', title: t('screen.servers'), class: 'num', draw: (/** @type {any} */ row) => number(row.servers.length) }]),
	];
	return html`<${Panel} title=${t('servers.coverage')} flush
		aside=${uncovered.length > 0 ? html`<${Badge} kind="bad">${t('servers.uncovered', { n: uncovered.length })}<//>`
		: html`<${Badge} kind="ok">${t('servers.allCovered')}<//>`}>
		<${Table} label=${t('servers.coverage')} columns=${columns} rows=${rows} keyOf=${(/** @type {any} */ row) => row.queue}
			keys=${false}
			rowClass=${(/** @type {any} */ row) => (row.covered ? '' : 'row-bad')} />
	<//>`;
}

/**
 * Limits over all servers. Those with keys show the busiest when they are opened.
 * @param {{limits: any[]}} props
 */
function Limits({ limits }) {
	const [open, setOpen] = useState('');
	const waiting = limits.filter((limit) => limit.waiting > 0).length;
	const none = html`<span class="muted">–</span>`;
	return limits.length > 0 ? html`<${Panel} title=${t('servers.limits')} flush
		aside=${waiting > 0 && html`<${Badge} kind="info">${t('servers.limitsWaiting', { n: waiting })}<//>`}>
		<${Table} label=${t('servers.limits')} rows=${limits} keyOf=${(/** @type {any} */ limit) => limit.name} keys=${false} columns=${[
		{ key: 'name', title: t('servers.limit'), class: 'wide',
			draw: (/** @type {any} */ limit) => html`<${Name} text=${limit.name} max=${48} />` },
		{ key: 'held', title: t('servers.held'), class: 'num', draw: (/** @type {any} */ limit) => number(limit.held) },
		{ key: 'concurrent', title: t('servers.concurrent'), class: 'num',
			draw: (/** @type {any} */ limit) => (limit.concurrent > 0 ? number(limit.concurrent) : none) },
		{ key: 'rate', title: t('servers.rate'), class: 'num',
			draw: (/** @type {any} */ limit) => (limit.rate ? visible(limit.rate) : none) },
		{ key: 'waiting', title: t('servers.waiting'), class: 'num', draw: (/** @type {any} */ limit) => number(limit.waiting) },
		{ key: 'keys', title: t('servers.keys'), class: 'num',
			draw: (/** @type {any} */ limit) => html`<span>
			<${Button} kind="link" small label=${t('servers.keysLabel', { n: limit.keys, name: limit.name })}
			onClick=${() => setOpen(open === limit.name ? '' : limit.name)}>${number(limit.keys)}<//></span>` },
	]} />
		${open && html`<${Keys} key=${open} limit=${open} />`}
	<//>` : null;
}

/** @param {{limit: string}} props */
function Keys({ limit }) {
	const loaded = useData('limit-keys', { id: limit }, { every: EVERY });
	const label = t('servers.keysOf', { name: limit });
	return html`<${Await} of=${loaded}>${(/** @type {any} */ data) =>
		html`<${Table} label=${label} rows=${data.entries} keyOf=${(/** @type {any} */ key) => key.key} keys=${false}
		empty=${html`<p class="muted pad">${t('servers.noKeys')}</p>`} columns=${[
		{ key: 'key', title: label, class: 'wide',
			draw: (/** @type {any} */ key) => (key.key ? html`<${Name} text=${key.key} max=${80} />`
			: html`<span class="muted">${t('servers.noKey')}</span>`) },
		{ key: 'held', title: t('servers.held'), class: 'num', draw: (/** @type {any} */ key) => number(key.held) },
		{ key: 'waiting', title: t('servers.waiting'), class: 'num', draw: (/** @type {any} */ key) => number(key.waiting) },
	]} />`}<//>`;
}

/**
 * Servers that have ended without signing off.
 * @param {{lost: {name: string, since: string}[]}} props
 */
function Lost({ lost }) {
	return lost.length > 0 ? html`<${Panel} title=${t('servers.lost')} aside=${html`<${Badge} kind="bad">${number(lost.length)}<//>`}>
		<ul class="plain">${lost.map((one) => html`<li key=${one.name}><${Name} text=${one.name} max=${60} /> <span class="muted">
			${t('servers.lastSeen')} <${Ago} value=${one.since} /></span></li>`)}</ul>
	<//>` : null;
}

/** @param {{server: any, reload: () => any}} props */
function Server({ server, reload }) {
	const busy = server.workers.length;
	const held = /** @type {number[]} */ (Object.values(server.held)).reduce((sum, tasks) => sum + tasks, 0);
	const queues = Object.entries(server.queues || {}).sort((a, b) => Number(b[1]) - Number(a[1]) || a[0].localeCompare(b[0]));
	const quiet = server.status === 'stopped';
	return html`<${Panel} class="server" title=${html`<span class="mono">${visible(nameOf(server))}</span>`} aside=${html`<div class="row">
		<${Badge} kind=${server.java ? 'plain' : 'info'}>${server.java ? t('servers.java') : t('servers.go')}
			${server.version && ` ${server.version}`}<//>
		<${Badge} kind=${server.status === 'active' ? 'ok' : 'warn'} title=${quiet ? t('servers.quietHint') : undefined}>
			${quiet ? t('servers.isQuiet') : server.status}<//>
		${(seconds(server.clockAhead) || 0) > MOST_AHEAD && html`<${Badge} kind="bad" title=${t('servers.clockHint')}>
			${t('servers.clock', { duration: duration(server.clockAhead) })}<//>`}
		${server.here && html`<${Badge} kind="ok" title=${t('servers.hereHint')}>${t('servers.here')}<//>`}
		${server.java && may('act') && html`<${Control} server=${server} quiet=${quiet} reload=${reload} />`}</div>`}>
		<dl class="facts facts-wide">
			<div><dt>${t('servers.busy')}</dt><dd>${number(busy)} / ${number(server.concurrency)}
				${held > 0 && html` <${Badge} kind="plain" title=${t('servers.heldHint')}>${t('servers.heldAhead', { n: held })}<//>`}
				<${Bar} label=${t('servers.busyLabel', { busy, slots: server.concurrency })}
				total=${server.concurrency} parts=${[{ key: 'busy', value: busy, class: 'c-active', title: t('servers.busy') }]} /></dd>
					</div>
			<div><dt>${t('servers.started')}</dt><dd><${Ago} value=${server.startedAt} /></dd></div>
			<div><dt>${server.strictPriority ? t('servers.strict') : t('servers.queues')}</dt>
				<dd>${queues.map(([q, weight]) => html`<span key=${q} class="chip"><${QueueLink} q=${q} max=${28} /> ${weight}</span>`)}
				</dd></div>
			<div><dt>${t('servers.id')}</dt><dd><${Name} text=${server.id} max=${40} copy /></dd></div>
		</dl>
		${server.types && server.types.length > 0 && html`<details class="types">
			<summary>${t('servers.types', { n: server.types.length })}</summary>
			<p>${server.types.map((/** @type {string} */ type) => html`<code key=${type} class="chip wrap">${visible(type)}</code>`)}
				</p></details>`}
		${busy > 0 ? html`<${Workers} server=${server} />` : html`<p class="muted">${t('servers.idle')}</p>`}
	<//>`;
}

/** @param {{server: any, quiet: boolean, reload: () => any}} props */
function Control({ server, quiet, reload }) {
	const action = quiet ? 'resume' : 'quiet';
	async function change() {
		/** @type {any} */
		const answer = await confirm({ title: t(`servers.${action}Title`), text: t(`servers.${action}Text`, { name: nameOf(server) }),
			button: t(`servers.${action}`) });
		if (answer && await perform(() => post(`server/${action}`, { id: server.id, ...(answer.reason && { reason: answer.reason }) }),
			() => t(server.here ? `servers.${action}Done` : 'servers.asked'))) {
			await reload();
		}
	}
	return html`<${Button} small onClick=${change}>${t(`servers.${action}`)}<//>`;
}

/** @param {{server: any}} props */
function Workers({ server }) {
	useNow();
	const stuck = new Set((server.stuck || []).map((/** @type {any} */ one) => (typeof one === 'string' ? one : one.taskId || one.id)));
	const now = serverNow();
	const rows = [...server.workers].sort((a, b) => a.startedAt.localeCompare(b.startedAt) || a.taskId.localeCompare(b.taskId));
	/** @param {any} row */
	function deadline(row) {
		if (!row.deadline) {
			return html`<span class="muted">${t('common.none')}</span>`;
		}
		const whole = Date.parse(row.deadline) - Date.parse(row.startedAt);
		const share = whole > 0 ? (now - Date.parse(row.startedAt)) / whole : 0;
		return html`<span class=${share >= 1 ? 'bad' : share > 0.8 ? 'warn' : ''}>
			${share >= 1 ? t('servers.overdue', { duration: duration((now - Date.parse(row.deadline)) / 1000) })
			: t('servers.left', { duration: duration((Date.parse(row.deadline) - now) / 1000),
				share: Math.max(0, Math.round(share * 100)) })}</span>`;
	}
	return html`<${Table} label=${t('servers.workersOf', { name: nameOf(server) })} rows=${rows}
		keyOf=${(/** @type {any} */ row) => `${row.queue}\n${row.taskId}`} keys=${false}
		onOpen=${(/** @type {any} */ row) => navigate('task', { q: row.queue, id: row.taskId })}
			rowClass=${(/** @type {any} */ row) => (stuck.has(row.taskId) ? 'row-bad' : '')}
		columns=${[
		{ key: 'id', title: t('servers.task'), class: 'wide',
			draw: (/** @type {any} */ row) => html`<span><${TaskLink} q=${row.queue} id=${row.taskId} />${stuck.has(row.taskId)
			&& html` <${Badge} kind="bad" title=${t('servers.stuckHint')}>${t('servers.stuck')}<//>`}</span>` },
		{ key: 'type', title: t('servers.type'), draw: (/** @type {any} */ row) =>
			html`<${Name} text=${row.type || (row.task && row.task.type)} max=${40} />` },
		{ key: 'queue', title: t('servers.queue'), draw: (/** @type {any} */ row) => html`<${QueueLink} q=${row.queue} max=${28} />` },
		{ key: 'running', title: t('servers.running'), class: 'num',
			draw: (/** @type {any} */ row) => duration(Math.max(0, (now - Date.parse(row.startedAt)) / 1000)) },
		{ key: 'deadline', title: t('servers.deadline'), class: 'num', draw: deadline },
	]} />`;
}
