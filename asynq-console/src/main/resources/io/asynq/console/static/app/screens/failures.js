import { actOnGroup } from '../failure-actions.js';
import { get } from '../api.js';
import { config, may } from '../config.js';
import { useData } from '../data.js';
import { number } from '../format.js';
import { html, useEffect, useState } from '../lib.js';
import { AsOf, Await, Badge, Button, Empty, Failed, Name, Num, Panel, QueueLink, Screen, Spark, State, TaskLink,
	visible } from '../parts/ui.js';
import { setParams } from '../router.js';
import { useKeys } from '../shortcuts.js';
import { useStore } from '../store.js';
import { t } from '../text.js';
import { Ago } from '../time.js';
import { writes } from '../actions.js';

/** Minutes that one bar of a trend stands for. */
const TREND_MINUTES = 5;

/**
 * What fails, grouped by type and by the text of the error without what varies in it.
 * @param {{params: Record<string, string>}} props
 */
export default function Failures({ params }) {
	const queue = params.queue || '';
	const first = useData('failures', { queue });
	const [more, setMore] = useState(/** @type {any[]} */ ([]));
	const [problem, setProblem] = useState(/** @type {any} */ (null));
	const written = useStore(writes);
	useEffect(() => {
		if (written > 0) {
			read();
		}
	}, [written]);
	useKeys({ r: read });
	function read() {
		setMore([]);
		setProblem(null);
		return first.reload();
	}
	const parts = first.data ? [first.data, ...more] : [];
	const last = parts[parts.length - 1];
	async function goOn() {
		try {
			setProblem(null);
			const next = await get('failures', { queue, cursor: last.next });
			setMore([...more, next]);
		}
		catch (e) {
			setProblem(e);
		}
	}
	const sub = last && html`<${Scanned} parts=${parts} />`;
	return html`<${Screen} title=${t('screen.failures')} sub=${sub} actions=${html`<${Button} onClick=${read}>${t('common.refresh')}<//>`}>
		<${Filters} params=${params} parts=${parts} />
		<${Await} of=${first} lines=${8}>${() => html`<${Groups} groups=${merged(parts)} params=${params} complete=${last.next === null} />
			${problem && html`<${Failed} error=${problem} />`}
			${last.next !== null && html`<div class="more"><${Button} onClick=${goOn}>${t('failures.goOn')}<//></div>`}`}<//>
	<//>`;
}

/**
 * How much was looked at: failures are grouped out of the tasks themselves, a part at a time.
 * @param {{parts: any[]}} props
 */
function Scanned({ parts }) {
	const last = parts[parts.length - 1];
	const scanned = sum(parts.map((part) => part.scanned || 0));
	const exact = last.next === null && parts.every((part) => part.groups.every((/** @type {any} */ one) => one.exact));
	return html`<${AsOf} at=${last.asOf} exact=${exact}
		note=${t('failures.scanned', { scanned, total: Math.max(scanned, last.total || 0) })} />`;
}

/** @param {{params: Record<string, string>, parts: any[]}} props */
function Filters({ params, parts }) {
	const queues = [...new Set([...parts.flatMap((part) => part.groups.flatMap((/** @type {any} */ group) => Object.keys(group.queues))),
		...(params.queue ? [params.queue] : [])])].sort();
	return html`<div class="filters" role="search">
		<label class="field field-inline"><span>${t('failures.queue')}</span><select class="input" value=${params.queue || ''}
			onChange=${(/** @type {any} */ e) => setParams({ queue: e.target.value })}><option value="">${t('failures.allQueues')}</option>
				${queues.map((name) =>
				html`<option key=${name} value=${name} selected=${name === params.queue}>${visible(name).slice(0, 60)}</option>`)}
					</select></label>
		<label class="field field-inline field-grow"><span>${t('failures.find')}</span>
			<input class="input" type="search" value=${params.type || ''} placeholder=${t('failures.findHint')}
			onInput=${(/** @type {any} */ e) => setParams({ type: e.target.value }, { replace: true })} /></label>
	</div>`;
}

/** @param {{groups: any[], params: Record<string, string>, complete: boolean}} props */
function Groups({ groups, params, complete }) {
	const wanted = (params.type || '').toLowerCase();
	const shown = groups.filter((group) => `${group.type} ${group.signature}`.toLowerCase().includes(wanted));
	if (shown.length === 0) {
		return html`<${Panel}><${Empty} title=${groups.length > 0 ? t('failures.noneFound') : complete ? t('failures.none')
			: t('failures.noneYet')}>${
			groups.length > 0 ? t('failures.noneFoundHint') : t('failures.noneHint')}<//><//>`;
	}
	return html`<ul class="cards">${shown.map((group) => html`<${Group} key=${group.key} group=${group} params=${params} />`)}</ul>`;
}

/** @param {{group: any, params: Record<string, string>}} props */
function Group({ group, params }) {
	const open = params.open === group.key;
	const queues = Object.entries(group.queues);
	return html`<li class="panel card">
		<div class="card-head">
			<div class="card-what">
				<h2><${Name} text=${group.type} max=${60} /></h2>
				<p class="card-text mono">${group.signature ? visible(group.signature)
					: html`<span class="muted">${t('failures.noText')}</span>`}</p>
			</div>
			<div class="card-count"><strong class="big-number"><${Num} value=${group.count} exact=${group.exact} /></strong>
				<${Spark} values=${group.trend} label=${t('failures.trend',
					{ n: sum(group.trend), minutes: group.trend.length * TREND_MINUTES })} /></div>
		</div>
		<div class="card-facts">
			<span>${Object.entries(group.states).filter(([, n]) => n > 0)
				.map(([state, n]) => html`<span key=${state} class="card-state"><${State} state=${state} /> ${number(n)}</span>`)}</span>
			<span>${t('failures.lastSeen')} <${Ago} value=${group.lastSeen} /></span>
			<span>${t('failures.firstSeen')} <${Ago} value=${group.firstSeen} /></span>
			<${Rising} trend=${group.trend} firstSeen=${group.firstSeen} />
			<span class="row">${queues.slice(0, 5)
				.map(([q, n]) => html`<span key=${q}>
				<${QueueLink} q=${q} state=${group.states.retry ? 'retry' : 'archived'} max=${28} /> ${number(n)}</span>`)}${
				queues.length > 5 && html`<span class="muted">${t('failures.moreQueues', { n: queues.length - 5 })}</span>`}</span>
		</div>
		<div class="card-foot">
			<button type="button" class="button button-quiet button-small" aria-expanded=${String(open)}
				onClick=${() => setParams({ open: open ? null : group.key }, { replace: true })}>${
				t('failures.samples', { n: group.samples.length })}</button>
			${may('act') && html`<${Actions} group=${group} queue=${params.queue || null} />`}
		</div>
		${open && html`<${Samples} samples=${group.samples} />`}
	</li>`;
}

/** @param {{group: any, queue: string | null}} props */
function Actions({ group, queue }) {
	return html`<div class="row">
		<${Button} small onClick=${() => actOnGroup('run', group, queue)}>${t('actions.run')}<//>
		${group.states.retry > 0 && html`<${Button} small onClick=${() => actOnGroup('archive', group, queue)}>${t('actions.archive')}<//>`}
		<${Button} small kind="danger" onClick=${() => actOnGroup('delete', group, queue)}>${t('actions.delete')}<//>
	</div>`;
}

/** @param {{samples: any[]}} props */
function Samples({ samples }) {
	return html`<ul class="card-more samples">${samples.map((task) => html`<li key=${task.queue + '\n' + task.id}>
		<div><${TaskLink} q=${task.queue} id=${task.id} max=${48} /> <${State} state=${task.state} /> <span class="muted">
			${t('failures.attempts', { n: task.retried })}${
			task.lastFailedAt && html`, <${Ago} value=${task.lastFailedAt} />`}</span></div>
		<pre class="wrap">${visible(task.lastError || '')}</pre>
		${config.showPayloads && task.payloadPreview && html`<pre class="wrap muted">${visible(task.payloadPreview)}</pre>`}
	</li>`)}</ul>`;
}

/**
 * Says what a list of numbers does not: that this is new, or that there are more of them lately.
 * @param {{trend: number[], firstSeen: string}} props
 */
function Rising({ trend, firstSeen }) {
	const half = trend.length / 2;
	const before = sum(trend.slice(0, half));
	const lately = sum(trend.slice(half));
	const minutes = (Date.now() - Date.parse(firstSeen)) / 60000;
	if (minutes < half * TREND_MINUTES) {
		return html`<${Badge} kind="warn" title=${t('failures.newHint')}>${t('failures.new')}<//>`;
	}
	return lately > 3 && lately > before * 2 ? html`<${Badge} kind="bad" title=${t('failures.risingHint', { before, lately })}>
		${t('failures.rising')}<//>` : null;
}

/**
 * Puts what several parts say of one group together.
 * @param {any[]} parts
 * @returns {any[]}
 */
function merged(parts) {
	/** @type {Map<string, any>} */
	const groups = new Map();
	for (const part of parts) {
		for (const group of part.groups) {
			const known = groups.get(group.key);
			groups.set(group.key, known ? joined(known, group) : group);
		}
	}
	return [...groups.values()].sort((a, b) => b.count - a.count);
}

/**
 * @param {any} a
 * @param {any} b
 */
function joined(a, b) {
	return { ...a, count: a.count + b.count, exact: a.exact && b.exact, queues: added(a.queues, b.queues),
		states: added(a.states, b.states),
		firstSeen: a.firstSeen < b.firstSeen ? a.firstSeen : b.firstSeen, lastSeen: a.lastSeen > b.lastSeen ? a.lastSeen : b.lastSeen,
		trend: a.trend.map((/** @type {number} */ n, /** @type {number} */ i) => n + (b.trend[i] || 0)),
		samples: [...a.samples, ...b.samples].slice(0, 3) };
}

/**
 * @param {Record<string, number>} a
 * @param {Record<string, number>} b
 */
function added(a, b) {
	const result = { ...a };
	for (const [key, n] of Object.entries(b)) {
		result[key] = (result[key] || 0) + n;
	}
	return result;
}

/** @param {number[]} values */
function sum(values) {
	return values.reduce((a, b) => a + b, 0);
}
