import { may } from '../config.js';
import { useData } from '../data.js';
import { Ago, For, bytes, compact, duration, number, percent, seconds, shorten, t } from '../format.js';
import { html, useEffect, useState } from '../lib.js';
import { liveOverview } from '../live.js';
import { Chart } from '../parts/chart.js';
import { openEnqueue } from '../parts/enqueue.js';
import { QueueTable, StateBar } from '../parts/queuetable.js';
import { Table } from '../parts/table.js';
import { AsOf, Badge, Button, Choice, Empty, Failed, Panel, QueueLink, Screen, Skeleton, State, TaskLink, apart,
	statesOf, visible } from '../parts/ui.js';
import { href } from '../router.js';
import { useStore } from '../store.js';

/** How many queues the overview lists; the screen of queues has all. */
const QUEUES = 20;

export default function Overview() {
	const pushed = useStore(liveOverview);
	// The stream may be slower than a read, and a page that waits is a bad start
	const read = useData(pushed ? null : 'overview');
	const data = pushed || read.data;
	return html`<${Screen} title=${t('screen.overview')} sub=${html`<${AsOf} at=${data && data.asOf} />`}
		actions=${may('act') && html`<${Button} onClick=${() => openEnqueue({})}>${t('queues.enqueue')}<//>`}>
		${!data ? read.error ? html`<${Failed} error=${read.error} retry=${read.reload} />`
		: html`<${Figures} /><${Panel}><${Skeleton} lines=${16} /><//>` : html`
			<${Figures} data=${data} />
			<${AttentionPanel} data=${data} />
			<div class="cols-even"><${Rates} data=${data} /><${History} /></div>
			<${Panel} flush title=${t('overview.queues')}
				aside=${html`<a href=${href('queues')}>${t('overview.allQueues', { n: data.queueCount })}</a>`}>
				<${QueueTable} lines=${data.queues.slice(0, QUEUES)} empty=${html`<${NoQueues} />`} />
				${unreadable(data.unreadable)}
			<//>
			<${Newest} data=${data} />`}
	<//>`;
}

function NoQueues() {
	return html`<${Empty} title=${t('overview.noQueues')}>${t('overview.noQueuesHint')}
		${may('act') && html`<p><${Button} onClick=${() => openEnqueue({})}>${t('queues.enqueue')}<//></p>`}<//>`;
}

/** @param {Record<string, string> | undefined} queues */
function unreadable(queues) {
	return Object.entries(queues || {}).map(([queue, reason]) => html`<p class="pad error-text wrap" key=${queue}>
		<strong>${t('overview.unreadable')}</strong> <span class="mono">${visible(shorten(queue, 60))}</span>
		: ${shorten(reason, 300)}</p>`);
}

/** @param {{label: any, value: any, note?: any, kind?: string, href?: string}} props */
export function Figure({ label, value, note, kind = '', href: to }) {
	return html`<div class="figure"><h2>${to ? html`<a class="plain" href=${to}>${label}</a>` : label}</h2>
		<div class=${`figure-value ${kind}`}>${value}</div><div class="figure-note" title=${typeof note === 'string' ? note : undefined}>
		${note || '\u00a0'}</div></div>`;
}

/** @param {{data?: any}} props */
function Figures({ data }) {
	if (!data) {
		return html`<div class="figures">${Array.from({ length: 7 }, (_, i) => html`<${Figure} key=${i} label="\u00a0" value="\u00a0" />`)}
			</div>`;
	}
	const states = statesOf(data.totals);
	const all = states.reduce((sum, state) => sum + (data.totals[state] || 0), 0);
	const slowest = data.queues.reduce((a, b) => ((seconds(b.latency) || 0) > (a ? seconds(a.latency) || 0 : 0) ? b : a), null);
	const processed = data.queues.reduce((sum, q) => sum + (q.processed || 0), 0);
	const failed = data.queues.reduce((sum, q) => sum + (q.failed || 0), 0);
	const exact = !data.next;
	const sizes = apart({ sizes: data.totals, waitingForLimit: data.waitingForLimit });
	const failing = (sizes.retry || 0) + (sizes.archived || 0);
	return html`<div class="figures">
		<${Figure} label=${t('overview.tasks')} value=${compact(all)} note=${html`<${StateBar} sizes=${sizes} />`} />
		<${Figure} label=${t('state.pending')} value=${compact(data.totals.pending || 0)}
			note=${slowest ? html`${t('overview.latency')} ${duration(slowest.latency)}, <span title=${shorten(slowest.queue, 400)}>
			${visible(shorten(slowest.queue, 24))}</span>` : t('overview.nothingWaits')} />
		<${Figure} label=${t('state.active')} value=${compact(data.totals.active || 0)}
			note=${t('overview.onServers', { n: data.servers })} />
		<${Figure} label=${t('queues.failing')} href=${href('failures')} value=${compact(failing)}
			note=${t('overview.failingNote', { retry: compact(sizes.retry || 0), archived: compact(sizes.archived || 0) })} />
		<${Figure} label=${t('overview.failedToday')} value=${html`${exact ? '' : '≥ '}${compact(failed)}`}
			note=${t('overview.failedNote', { rate: percent(failed, processed), processed: compact(processed) })} />
		<${Figure} label=${t('screen.servers')} href=${href('servers')} kind=${data.servers === 0 ? 'bad' : ''}
			value=${number(data.servers)} note=${data.servers === 0 ? t('overview.noServers')
			: t('overview.periodicNote', { n: data.schedulerEntries || 0 })} />
		<${Figure} label=${t('overview.redis')} href=${href('redis')}
			value=${data.redis && data.redis.usedMemory !== null ? bytes(data.redis.usedMemory) : '–'}
			note=${data.redis ? html`${data.redis.maxMemory ? t('overview.ofMax', { max: bytes(data.redis.maxMemory) })
			: t('overview.noMax')}${data.redis.version ? ` · ${data.redis.version}` : ''}` : ''} />
	</div>`;
}

/** @param {{data: any}} props */
function AttentionPanel({ data }) {
	// While the pointer is on it, it stays as it is
	const [held, hold] = useState(/** @type {any} */ (null));
	if (!data) {
		return html`<${Panel} title=${t('overview.attention')}><${Skeleton} lines=${2} /><//>`;
	}
	const all = held || data.attention || [];
	if (all.length === 0) {
		return html`<div class="calm"><${Badge} kind="ok">✓<//> <strong>${t('overview.calm')}</strong> <span class="muted">
			${t('overview.calmHint')}</span></div>`;
	}
	return html`<${Panel} flush title=${t('overview.attention')} aside=${number(all.length)}>
		<ul class="lines" onMouseEnter=${() => hold(all)} onMouseLeave=${() => hold(null)}>
			${all.map((one) => html`<${Concern} key=${one.kind} one=${one} />`)}</ul>
	<//>`;
}

/** @type {Record<string, string>} */
const SEVERITIES = { error: 'bad', warning: 'warn', info: 'info' };

/**
 * All of one kind: a line that opens, if it is more than one.
 * @param {{one: any}} props
 */
function Concern({ one }) {
	const [open, setOpen] = useState(false);
	const several = one.count > 1;
	const more = one.count - one.items.length;
	return html`<li><${Badge} kind=${SEVERITIES[one.severity] || 'plain'}>${t('overview.' + one.severity)}<//>
		<div class="line-text">
			${several ? html`<button type="button" class="button-link" aria-expanded=${open} onClick=${() => setOpen(!open)}>
				${open ? '▾' : '▸'} ${one.text}</button>` : html`<${Line} item=${one.items[0]} />`}
			${open && several && html`<ul class="line-items">
				${one.items.map((item) => html`<li key=${[item.queue, item.type, item.id].join('\n')}>
					<${Line} item=${item} /> <${Since} value=${item.since} /></li>`)}
				${more > 0 && html`<li class="muted">${t('overview.attentionMore', { n: more })}</li>`}</ul>`}
			<div><a class="muted" href=${href(one.screen.name, one.screen.params)}>${one.action}</a></div></div>
		<span class="line-aside"><${Since} value=${one.since} /></span></li>`;
}

/** @param {{item: any}} props */
function Line({ item }) {
	const name = item.queue || item.type;
	return html`<a href=${href(item.screen.name, item.screen.params)}>
		${name && html`<span class="mono">${visible(shorten(name, 60))}</span> `}${visible(shorten(item.text, 300))}</a>`;
}

/** @param {{value: string | null}} props */
function Since({ value }) {
	return value ? html`<span class="muted">${t('overview.since')} <${For} since=${value} /></span>` : null;
}

/**
 * Nothing was counted while nobody looked: a hole says so, a line across would not.
 * @param {any[]} points
 */
function gaps(points) {
	return points.flatMap((point, i) => {
		const before = i > 0 && Date.parse(points[i - 1].at);
		return before && Date.parse(point.at) - before > 30000
			? [{ at: new Date(before + 1000).toISOString(), processed: null, failed: null }, point] : [point];
	});
}

/** @param {{data: any}} props */
function Rates({ data }) {
	const rates = data && data.rates;
	const points = gaps((rates && rates.points) || []);
	return html`<${Panel} title=${t('overview.rates')}
		aside=${rates && html`<span>${t('overview.ratesWindow', { minutes: Math.round((rates.windowSeconds || 900) / 60) })}</span>`}>
		<div class="chart-room">${points.length < 2 ? html`<${Empty} title=${t('overview.ratesEmpty')} />`
		: html`<${Chart} label=${t('overview.rates')} window=${rates.windowSeconds || 900}
			times=${points.map((p) => Date.parse(p.at) / 1000)}
			format=${(v) => `${v >= 100 ? Math.round(v) : Number(v.toFixed(1))} ${t('overview.perSecond')}`} series=${[
		{ label: t('overview.processed'), color: '--accent', values: points.map((p) => p.processed) },
		{ label: t('overview.failed'), color: '--archived', values: points.map((p) => p.failed) }]} />`}</div>
	<//>`;
}

/** @param {{q?: string}} props */
export function History({ q }) {
	const [days, setDays] = useState('30');
	const loaded = useData('history', { q, days }, { every: 600000 });
	const sorted = loaded.data ? [...loaded.data.days].sort((a, b) => (a.date < b.date ? -1 : 1)) : [];
	const any = sorted.some((day) => day.processed > 0);
	return html`<${Panel} title=${t('overview.history')}
		aside=${html`<${Choice} label=${t('overview.history')} value=${days} onChange=${setDays}
		options=${['7', '30', '90'].map((n) => ({ value: n, text: t('overview.days', { n: Number(n) }) }))} />`}>
		<div class="chart-room">${loaded.error ? html`<${Failed} error=${loaded.error} retry=${loaded.reload} />` : !loaded.data
			? html`<${Skeleton} lines=${5} />` : !any ? html`<${Empty} title=${t('overview.historyEmpty')} />`
		: html`<${Chart} days label=${t('overview.history')} times=${sorted.map((day) => Date.parse(day.date + 'T00:00:00Z') / 1000)}
			series=${[
			{ label: t('overview.processed'), color: '--accent', bars: true, values: sorted.map((day) => day.processed) },
			{ label: t('overview.failed'), color: '--archived', bars: true, values: sorted.map((day) => day.failed) }]} />`}</div>
	<//>`;
}

const NEWEST = [
	{ key: 'failed', title: t('queue.failedAt'), class: 'tight',
		draw: (task) => html`<span class="num"><${Ago} value=${task.lastFailedAt} /></span>` },
	{ key: 'type', title: t('queue.type'), draw: (task) => html`<span class="mono">${visible(shorten(task.type, 60))}</span>` },
	{ key: 'error', title: t('queue.lastError'), class: 'wide',
		draw: (task) => html`<span class="clip mono error-line" title=${shorten(task.lastError || '', 1500)}>
			${visible(shorten((task.lastError || '').split('\n')[0], 240))}</span>` },
	{ key: 'state', title: t('task.state'), class: 'tight', draw: (task) => html`<${State} state=${task.state} waits=${task.waitsFor} />` },
	{ key: 'queue', title: t('queues.queue'), draw: (task) => html`<${QueueLink} q=${task.queue} max=${28} />` },
	{ key: 'id', title: t('queue.id'), draw: (task) => html`<${TaskLink} q=${task.queue} id=${task.id} max=${18} />` },
];

/** @param {any} task */
const lineKey = (task) => [task.queue, task.id, task.lastFailedAt].join('\n');

/** @param {{data: any}} props */
function Newest({ data }) {
	const latest = data && (data.newestFailures || []);
	const [shown, show] = useState(/** @type {any} */ (null));
	// Rows do not move under the cursor: that there are newer ones is said
	const all = shown || latest;
	useEffect(() => {
		if (latest && latest.length > 0 && !shown) {
			show(latest);
		}
	}, [latest]);
	const seen = new Set((shown || []).map(lineKey));
	const fresh = shown && latest ? latest.filter((one) => !seen.has(lineKey(one))).length : 0;
	return html`<${Panel} flush title=${t('overview.newest')}
		aside=${html`<span class="row">${fresh > 0 && html`<button type="button" class="changed on" onClick=${() => show(latest)}>
		${t('queue.changedMore', { n: fresh })}</button>`}<a href=${href('failures')}>${t('overview.byError')}</a></span>`}>
		${!all ? html`<${Skeleton} lines=${6} />` : html`<${Table} label=${t('overview.newest')} keys=${false} columns=${NEWEST} rows=${all}
			keyOf=${lineKey}
			empty=${html`<${Empty} title=${t('overview.noFailures')}>${t('overview.noFailuresHint')}<//>`} />`}
	<//>`;
}
