import { actOnGroups, clean, perform, writes } from '../actions.js';
import { post } from '../api.js';
import { may } from '../config.js';
import { useData } from '../data.js';
import { Ago, For, bytes, compact, duration, number, percent, seconds, shorten, t } from '../format.js';
import { html, useEffect, useRef, useState } from '../lib.js';
import { liveOverview, liveQueue, watchQueue } from '../live.js';
import { confirm } from '../parts/dialog.js';
import { openEnqueue } from '../parts/enqueue.js';
import { JobProgress } from '../parts/job.js';
import { StateBar, sizeOf } from '../parts/queuetable.js';
import { TaskList } from '../parts/tasklist.js';
import { AsOf, Await, Badge, Button, Empty, Failed, Icon, Num, Panel, Screen, Skeleton, Spark, Tabs, apart, statesOf,
	visible } from '../parts/ui.js';
import { href, navigate } from '../router.js';
import { useKeys } from '../shortcuts.js';
import { useStore } from '../store.js';
import { Figure } from './overview.js';

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

/**
 * What stands beside the list of a queue.
 * @param {{q: string, data: any, live: any, written: number, reload: () => any}} props
 */
function QueueAside({ q, data, live, written, reload }) {
	return html`<aside class="stack">
		<${Consumers} consumers=${data.consumers || []} at=${data.asOf} reload=${reload} />
		<${RetriesAhead} data=${data} />
		<${ErrorGroups} q=${q} written=${written} />
	</aside>`;
}

/** @param {{q: string, written: number}} props */
function ErrorGroups({ q, written }) {
	const loaded = useData('failures', { queue: q });
	const [job, setJob] = useState(/** @type {any} */ (null));
	useEffect(() => {
		if (written > 0) {
			loaded.reload();
		}
	}, [written]);
	/**
	 * @param {'run' | 'archive' | 'delete'} action
	 * @param {any} group
	 */
	async function act(action, group) {
		const started = await actOnGroups(action, [group], { queue: q });
		if (started) {
			setJob(started);
		}
	}
	return html`<${Panel} flush title=${t('queue.errorGroups')}
		aside=${loaded.data && html`<${AsOf} at=${loaded.data.asOf}
		exact=${loaded.data.complete && loaded.data.groups.every((/** @type {any} */ one) => one.exact)}
		note=${loaded.data.complete === false ? t('common.scanned',
			{ scanned: number(loaded.data.scanned), total: number(loaded.data.total) }) : undefined} />
			<${Again} reload=${loaded.reload} />`}>
		${job && html`<div class="pad"><${JobProgress} job=${job} onEnd=${loaded.reload} onClose=${() => setJob(null)} /></div>`}
		<${Await} of=${loaded} lines=${5}>${(answer) => answer.groups.length === 0 ? html`<${Empty} title=${t('queue.noErrors')} />`
		: html`<ul class="items">${answer.groups.slice(0, 8).map((group) => html`<li key=${group.key}>
			<div class="spread"><a class="mono name" href=${href('failures', { queue: q, group: group.key })}>
				${visible(shorten(group.type, 48))}</a><strong class="num">${group.exact === false ? '≥ ' : ''}
				${number(group.count)}</strong></div>
			<div class="clip mono error-line" title=${shorten(group.signature, 1000)}>${visible(shorten(group.signature, 200))}</div>
			<div class="spread small"><span class="row">
				<${Spark} values=${group.lastHour} label=${t('queue.lastHour', { counts: group.lastHour.join(', ') })} />
				<span class="muted">${t('failures.latest')} <${Ago} value=${group.latestLastFailure} /></span></span>
				${may('act') && html`<span class="row tight-row">
					${['run', 'archive', 'delete'].map((action) => (action !== 'archive' || (group.states || {}).retry > 0)
					&& html`<${Button} key=${action} kind="link" small onClick=${() => act(/** @type {any} */ (action), group)}>
					${t('actions.' + action)}<//>`)}</span>`}</div></li>`)}</ul>`}<//>
	<//>`;
}

/** @param {{reload: () => any}} props */
function Again({ reload }) {
	return html`<${Button} kind="quiet" small label=${t('common.refresh')} title=${t('common.refresh')} onClick=${reload}>
		<${Icon} name="refresh" /><//>`;
}

/** @param {{consumers: any[], at: string, reload: () => any}} props */
function Consumers({ consumers, at, reload }) {
	return html`<${Panel} flush title=${t('queue.consumers')} aside=${html`<${AsOf} at=${at} /><${Again} reload=${reload} />`}>
		${consumers.length === 0 ? html`<${Empty} title=${html`<span class="error-text">${t('queue.noConsumers')}</span>`}>
			${t('queue.noConsumersHint')}<//>`
		: html`<ul class="items">${consumers.map((one) => html`<li key=${one.id || one.server}>
			<div class="spread"><span class="mono name">${visible(shorten(`${one.host}:${one.pid}`, 60))}</span><span class="muted small">
				${one.weight !== undefined && t('queue.weight', { weight: one.weight })}</span></div>
			<div class="spread small"><span class="progress slots">
				<i style=${{ width: `${one.concurrency ? Math.min(100, (one.busy / one.concurrency) * 100) : 0}%` }}></i></span>
				<span class="num muted">${t('queue.busy', { busy: one.busy, concurrency: one.concurrency })}</span></div></li>`)}</ul>`}
	<//>`;
}

/** @param {{data: any}} props */
function RetriesAhead({ data }) {
	const minutes = data.retriesAhead || [];
	const sum = minutes.reduce((total, one) => total + one.count, 0);
	const max = Math.max(1, ...minutes.map((one) => one.count));
	return html`<${Panel} title=${t('queue.retriesAhead')}
		aside=${html`<${AsOf} at=${data.asOf} /> · <span class="num">${data.retriesAheadExact === false ? '≤ ' : ''}${number(sum)}</span>`}>
		${sum === 0 ? html`<p class="muted">${t('queue.noRetries')}</p>`
			: html`<div class="ahead" role="img" aria-label=${t('queue.retriesSum', { n: sum })}>
			${minutes.map((one) => html`<i key=${one.minute}
			title=${t('queue.minute', { minute: one.minute, n: one.count })} class=${one.count ? '' : 'zero'}
				style=${{ height: `${one.count ? Math.max(8, (one.count / max) * 100) : 3}%` }}></i>`)}</div>
		<div class="spread small muted"><span>${t('queue.now')}</span><span>${t('queue.in30')}</span></div>`}
	<//>`;
}
