import { post } from '../api.js';
import { clean, perform, writes } from '../actions.js';
import { may } from '../config.js';
import { useData } from '../data.js';
import { bytes, compact, duration, number, percent, seconds, shorten } from '../format.js';
import { html, useEffect, useRef } from '../lib.js';
import { liveOverview, liveQueue, watchQueue } from '../live.js';
import { confirm } from '../parts/confirm.js';
import { openEnqueue } from '../parts/enqueue.js';
import { StateBar, sizeOf } from '../parts/queuetable.js';
import { TaskList } from '../parts/tasklist.js';
import { AsOf, Badge, Button, Empty, Failed, Num, Screen, Skeleton, Tabs, apart, statesOf, visible } from '../parts/ui.js';
import { href, navigate } from '../router.js';
import { useKeys } from '../shortcuts.js';
import { useStore } from '../store.js';
import { t } from '../text.js';
import { For } from '../time.js';
import { Figure } from './overview.js';
import { QueueAside } from './queue-aside.js';

/** Which state is shown if none is asked for: the first that has tasks. */
const BY_INTEREST = ['pending', 'active', 'retry', 'archived', 'scheduled', 'aggregating', 'completed'];

/** @param {{params: Record<string, string>}} props */
export default function Queue({ params }) {
	const q = params.q || '';
	const read = useData('queue', { q });
	const pushed = useStore(liveQueue);
	const overview = useStore(liveOverview);
	const written = useStore(writes);
	const first = useRef('');
	useEffect(() => {
		watchQueue(q);
		return () => watchQueue('');
	}, [q]);
	useEffect(() => {
		if (written > 0) {
			read.reload();
		}
	}, [written]);
	const line = overview && overview.queues.find((one) => one.queue === q);
	// What is not pushed is read again when what is pushed says that it has changed: ten readers cost Redis what one does
	const hint = line ? [overview.servers, line.hasConsumer, line.paused].join() : '';
	const hinted = useRef('');
	useEffect(() => {
		if (hinted.current && hint && hint !== hinted.current) {
			read.reload();
		}
		hinted.current = hint || hinted.current;
	}, [hint]);
	if (!read.data) {
		return html`<${Screen} title=${html`<span class="mono">${visible(shorten(q, 160))}</span>`}>
			${!read.error ? html`<${Skeleton} lines=${10} />`
			: read.error.status === 404 ? html`<${Empty} title=${t('queue.notFound')}>${t('queue.notFoundHint')} <a href=${href('queues')}>
				${t('screen.queues')}</a><//>`
			: html`<${Failed} error=${read.error} retry=${read.reload} />`}<//>`;
	}
	const live = newest(read.data, pushed, q);
	const info = live.info;
	const sizes = info.sizes || {};
	// Chosen once: a list must not change because its last task was just taken
	first.current = first.current || BY_INTEREST.find((one) => sizes[one] > 0) || 'pending';
	const state = params.state || first.current;
	const states = statesOf(sizes);
	return html`<${Screen} title=${html`<span class="mono">${visible(shorten(q, 160))}</span>`}
		sub=${html`${info.paused ? html`<${Badge} kind="warn">${t('queue.paused')}<//>
			${live.pausedSince && html` ${t('overview.since')} <${For} since=${live.pausedSince} /> ·`}`
			: line && line.hasConsumer === false ? html`<${Badge} kind="bad">${t('queues.noConsumer')}<//>`
				: html`<${Badge} kind="ok">${t('queue.running')}<//>`} <${AsOf} at=${live.asOf || info.timestamp} />`}
		actions=${may('act') && html`<${Actions} q=${q} info=${info} />`}>
		<${Facts} data=${{ ...read.data, ...live }} line=${line} />
		<${StateTabs} q=${q} states=${states} sizes=${sizes} limited=${info.waitingForLimit || 0} state=${state} />
		<div class="cols">
			<${TaskList} key=${[state, params.group, params.filter].join('\n')} q=${q} state=${state} group=${params.group || ''}
				filter=${params.filter || ''} size=${sizes[state] || 0} />
			<${QueueAside} q=${q} data=${read.data} live=${live} written=${written} reload=${read.reload} />
		</div>
	<//>`;
}

/**
 * The newer of what was read and what was pushed.
 * @param {any} read
 * @param {any} pushed
 * @param {string} q
 */
function newest(read, pushed, q) {
	if (!pushed) {
		return read;
	}
	const info = pushed.info || { ...pushed };
	if (info.queue !== q) {
		return read;
	}
	// What is pushed has the numbers alone, side by side. Those of today and of all days come from one reading
	if (pushed.processed !== undefined) {
		info.today = { processed: pushed.processed, failed: pushed.failed };
		info.total = { processed: pushed.processedTotal, failed: pushed.failedTotal };
	}
	const at = (one) => Date.parse(one.asOf || (one.info || one).timestamp || 0);
	return at(read) > at(pushed) ? read : { ...read, ...(pushed.info ? pushed : { asOf: pushed.asOf || info.timestamp }),
		info: { ...read.info, ...info } };
}

/** @param {{q: string, states: string[], sizes: Record<string, number>, limited: number, state: string}} props */
function StateTabs({ q, states, sizes, limited, state }) {
	const go = (by) => () => {
		const next = states[(states.indexOf(state) + by + states.length) % states.length];
		navigate('queue', { q, state: next });
	};
	useKeys({ '[': go(-1), ']': go(1) });
	return html`<${Tabs} label=${t('queue.states')} current=${state}
		tabs=${states.map((one) => ({ key: one, href: href('queue', { q, state: one }), class: sizes[one] ? '' : 'zero',
		text: html`<span class=${`state state-${one}`}><i></i>${t('state.' + one)}</span>`,
		count: one === 'retry' && limited > 0 ? html`${number(sizes.retry - limited)} <span title=${t('task.waitsHint')}>+ ${
			number(limited)} ${t('state.limited')}</span>` : number(sizes[one] || 0) }))} />`;
}

/** @param {{data: any, line: any}} props */
function Facts({ data, line }) {
	const { info } = data;
	const today = info.today || { processed: 0, failed: 0 };
	const total = info.total || { processed: 0, failed: 0 };
	const consumers = data.consumers;
	const none = consumers ? consumers.length === 0 : line && line.hasConsumer === false;
	const slots = (consumers || []).reduce((sum, one) => sum + (one.concurrency || 0), 0);
	return html`<div class="figures">
		<${Figure} label=${t('queue.size')} value=${html`<${Num} value=${sizeOf(info)} />`}
			note=${html`<${StateBar} sizes=${apart(info)} />`} />
		<${Figure} label=${t('queue.latency')} kind=${(seconds(info.latency) || 0) > 600 ? 'warn' : ''}
			value=${seconds(info.latency) ? duration(info.latency) : '–'}
			note=${info.groups ? t('queue.groupsNote', { n: info.groups }) : seconds(info.latency) ? '' : t('overview.nothingWaits')} />
		<${Figure} label=${t('queue.today')} value=${compact(today.processed)}
			note=${t('queue.todayNote', { failed: compact(today.failed), rate: percent(today.failed, today.processed) })} />
		<${Figure} label=${t('queue.total')} value=${compact(total.processed)}
			note=${t('queue.todayNote', { failed: compact(total.failed), rate: percent(total.failed, total.processed) })} />
		<${Figure} label=${t('queue.consumers')} kind=${none ? 'bad' : ''} value=${consumers ? number(consumers.length) : '–'}
			note=${none ? t('queue.noConsumers') : t('queue.slots', { n: slots })} />
		<${Figure} label=${t('queue.memory')} value=${data.memoryUsage === null || data.memoryUsage === undefined ? '–'
			: html`${data.memoryUsageExact === false ? '≈ ' : ''}${bytes(data.memoryUsage)}`}
			note=${data.place ? t('queue.place', { slot: data.place.slot }) : data.memoryUsageExact === false ? t('queue.sampled') : ''} />
	</div>`;
}

/** @param {{q: string, info: any}} props */
function Actions({ q, info }) {
	const word = info.paused ? 'resume' : 'pause';
	async function toggle() {
		const answer = await confirm({ title: t(`queue.${word}Title`), text: t(`queue.${word}Text`), button: t('queue.' + word) });
		if (answer) {
			await perform(() => post('queue/' + word, clean({ q, reason: answer.reason })), () => t(`queue.${word}Done`));
		}
	}
	async function remove() {
		const answer = await confirm({ title: t('queue.deleteTitle'), text: t('queue.deleteText'), button: t('queue.delete'), danger: true,
			q, count: sizeOf(info), type: true, empty: true,
			options: [{ name: 'force', text: t('queue.deleteForce'), hint: t('queue.deleteForceHint') }] });
		if (answer && await perform(() => post('queue/delete',
			clean({ q, force: answer.options.force, expectedCount: answer.expectedCount, confirm: answer.confirm, reason: answer.reason })),
			() => t('queue.deleteDone'))) {
			navigate('queues');
		}
	}
	return html`<${Button} onClick=${() => openEnqueue({ q })}>${t('queues.enqueue')}<//><${Button} onClick=${toggle}>
		${t('queue.' + word)}<//>${may('admin') && html`<${Button} kind="danger" onClick=${remove}>${t('queue.delete')}<//>`}`;
}
