import { number, percent, seconds, t } from '../format.js';
import { html } from '../lib.js';
import { Table } from './table.js';
import { Badge, Bar, Duration, Empty, Num, QueueLink, apart, statesOf } from './ui.js';
import { navigate } from '../router.js';

/**
 * Queues with what they hold. A line is one of the overview's, or a queue's info.
 * @param {{lines: any[], empty?: any, groups?: boolean}} props
 */
export function QueueTable({ lines, empty, groups = false }) {
	const columns = [
		{ key: 'queue', title: t('queues.queue'), class: 'wide', sort: (q) => q.queue, draw: (q) => html`<${QueueLink} q=${q.queue} />${
			q.paused && html` <${Badge} kind="warn">${t('queues.paused')}<//>`}
				${q.hasConsumer === false && html` <${Badge} kind="bad" title=${t('queues.noConsumerHint')}>
				${t('queues.noConsumer')}<//>`}` },
		{ key: 'bar', title: t('queues.byState'), class: 'bar-cell low', draw: (q) => html`<${StateBar} sizes=${apart(q)} />` },
		{ key: 'size', title: t('queues.size'), class: 'num', sort: sizeOf, draw: (q) => html`<${Num} value=${sizeOf(q)} />` },
		{ key: 'pending', title: t('state.pending'), class: 'num', sort: (q) => size(q, 'pending'),
			draw: (q) => html`<${Num} value=${size(q, 'pending')} />` },
		{ key: 'active', title: t('state.active'), class: 'num low', sort: (q) => size(q, 'active'),
			draw: (q) => html`<${Num} value=${size(q, 'active')} />` },
		{ key: 'failing', title: t('queues.failing'), class: 'num', sort: failing,
			draw: (q) => html`<${Num} value=${failing(q)} title=${t('queues.failingHint')} />${
				q.waitingForLimit > 0 && html` <span class="muted" title=${t('task.waitsHint')}>+ <${Num} value=${q.waitingForLimit} /> ${
					t('state.limited')}</span>`}` },
		{ key: 'latency', title: t('queues.latency'), class: 'num', sort: (q) => seconds(q.latency) || 0, draw: (q) => seconds(q.latency)
			? html`<${Duration} value=${q.latency} />` : html`<span class="muted">–</span>` },
		{ key: 'processed', title: t('queues.processed'), class: 'num low', sort: (q) => today(q).processed,
			draw: (q) => html`<${Num} value=${today(q).processed} title=${t('queues.today')} />` },
		{ key: 'rate', title: t('queues.rate'), class: 'num', sort: (q) => today(q).processed ? today(q).failed / today(q).processed : 0,
			draw: (q) => html`<span class="num" title=${`${number(today(q).failed)} ${t('overview.failed')}, ${t('queues.today')}`}>
				${percent(today(q).failed, today(q).processed)}</span>` },
		...(groups ? [{ key: 'groups', title: t('queues.groups'), class: 'num low', draw: (q) => q.groups ? number(q.groups)
			: html`<span class="muted">–</span>` }] : []),
	];
	return html`<${Table} label=${t('screen.queues')} columns=${columns} rows=${lines} keyOf=${(q) => q.queue}
		onOpen=${(q) => navigate('queue', { q: q.queue })}
		empty=${empty || html`<${Empty} title=${t('overview.noQueues')} />`} />`;
}

/** @param {any} line */
export function sizeOf(line) {
	return line.size !== undefined ? line.size : Object.values(line.sizes || {}).reduce((a, b) => a + Number(b), 0);
}

/**
 * @param {any} line
 * @param {string} state
 */
export function size(line, state) {
	return (line.sizes && line.sizes[state]) || 0;
}

/** @param {any} line */
function failing(line) {
	const { retry = 0, archived = 0 } = apart(line);
	return retry + archived;
}

/**
 * A line that was pushed has the numbers of today side by side, and is the newer one.
 * @param {any} line
 */
export function today(line) {
	return line.processed === undefined ? line.today || { processed: 0, failed: 0 } : { processed: line.processed, failed: line.failed };
}

/** @param {{sizes: Record<string, number>}} props */
export function StateBar({ sizes }) {
	const states = statesOf(sizes);
	const total = states.reduce((sum, state) => sum + (sizes[state] || 0), 0);
	return html`<${Bar} total=${total} label=${states.filter((s) => sizes[s]).map((s) => `${t('state.' + s)} ${number(sizes[s])}`)
		.join(', ') || t('overview.nothingWaits')}
		parts=${states.map((state) => ({ key: state, value: sizes[state] || 0, class: `c-${state}`, title: t('state.' + state) }))} />`;
}
