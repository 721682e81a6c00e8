import { get } from '../api.js';
import { config, may } from '../config.js';
import { useData } from '../data.js';
import { Ago, number, t } from '../format.js';
import { html, useEffect, useState } from '../lib.js';
import { FailureTasks } from '../parts/failuretasks.js';
import { AsOf, Await, Button, Empty, Failed, Name, Num, Panel, QueueLink, Screen, Spark, State, TaskLink,
	visible } from '../parts/ui.js';
import { href, setParams } from '../router.js';
import { useKeys } from '../shortcuts.js';
import { useStore } from '../store.js';
import { actOnGroups, writes } from '../actions.js';

/** Minutes that one bar stands for. */
const BAR_MINUTES = 5;

/** How long one types before the search begins. */
const TYPING = 300;

/**
 * What fails, grouped by type and by the text of the error without what varies in it; or all tasks of one group.
 * @param {{params: Record<string, string>}} props
 */
export default function Failures({ params }) {
	return params.group ? html`<${FailureTasks} key=${params.group} params=${params} />` : html`<${Groups} params=${params} />`;
}

/** @param {{params: Record<string, string>}} props */
function Groups({ params }) {
	const asked = { queue: params.queue || '', state: params.state || '', text: params.type || '' };
	const first = useData('failures', asked);
	const [more, setMore] = useState(/** @type {any[]} */ ([]));
	const [problem, setProblem] = useState(/** @type {any} */ (null));
	const [selected, setSelected] = useState(/** @type {Set<string>} */ (new Set()));
	const written = useStore(writes);
	useEffect(() => {
		if (written > 0) {
			read();
		}
	}, [written]);
	useEffect(() => setMore([]), [JSON.stringify(asked)]);
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
			const next = await get('failures', { ...asked, cursor: last.next });
			setMore([...more, next]);
		}
		catch (e) {
			setProblem(e);
		}
	}
	const sub = last && html`<${Scanned} parts=${parts} />`;
	const groups = merged(parts);
	const shown = groups.filter((group) => group.found);
	// A group that is not on the screen any more is not acted upon
	const chosen = shown.filter((group) => selected.has(group.key));
	/** @param {string} key */
	function toggle(key) {
		const next = new Set(selected);
		if (!next.delete(key)) {
			next.add(key);
		}
		setSelected(next);
	}
	return html`<${Screen} title=${t('screen.failures')} sub=${sub} actions=${html`<${Button} onClick=${read}>${t('common.refresh')}<//>`}>
		<${Filters} params=${params} parts=${parts} />
		<${Await} of=${first} lines=${8}>${() => html`
			${may('act') && shown.length > 1 && html`<${Chosen} groups=${chosen} asked=${asked}
				clear=${() => setSelected(new Set())} all=${() => setSelected(new Set(shown.map((group) => group.key)))} />`}
			${shown.length === 0 ? html`<${Nothing} groups=${groups} complete=${last.next === null} />`
		: html`<ul class="cards">${shown.map((group) => html`<${Group} key=${group.key} group=${group} params=${params} asked=${asked}
				selected=${may('act') && shown.length > 1 ? selected.has(group.key) : null} toggle=${() => toggle(group.key)} />`)}</ul>`}
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
	const note = t('failures.scanned', { scanned: last.scanned, total: Math.max(last.scanned, last.total || 0) });
	const exact = last.next === null && parts.every((part) => part.groups.every((/** @type {any} */ one) => one.exact));
	return html`<${AsOf} at=${last.asOf} exact=${exact} note=${note} />`;
}

/** @param {{params: Record<string, string>, parts: any[]}} props */
function Filters({ params, parts }) {
	const [text, setText] = useState(params.type || '');
	useEffect(() => setText(params.type || ''), [params.type]);
	useEffect(() => {
		const timer = setTimeout(() => text !== (params.type || '') && setParams({ type: text }, { replace: true }), TYPING);
		return () => clearTimeout(timer);
	}, [text]);
	const queues = [...new Set([...parts.flatMap((part) => part.groups.flatMap((/** @type {any} */ group) => Object.keys(group.queues))),
		...(params.queue ? [params.queue] : [])])].sort();
	return html`<div class="filters" role="search">
		<${Choice} label=${t('failures.queue')} value=${params.queue} all=${t('failures.allQueues')}
			options=${queues.map((name) => [name, visible(name).slice(0, 60)])}
				choose=${(/** @type {string} */ queue) => setParams({ queue })} />
		<${Choice} label=${t('failures.state')} value=${params.state} all=${t('failures.allStates')}
			options=${['retry', 'archived'].map((name) => [name, t('state.' + name)])}
			choose=${(/** @type {string} */ state) => setParams({ state })} />
		<label class="field field-inline field-grow"><span>${t('failures.find')}</span><input class="input" type="search" value=${text}
			placeholder=${t('failures.findHint')} onInput=${(/** @type {any} */ e) => setText(e.target.value)} /></label>
	</div>`;
}

/** @param {{label: string, value?: string, all: string, options: string[][], choose: (value: string) => void}} props */
function Choice({ label, value, all, options, choose }) {
	return html`<label class="field field-inline"><span>${label}</span><select class="input" value=${value || ''}
		onChange=${(/** @type {any} */ e) => choose(e.target.value)}><option value="">${all}</option>${options.map(([name, text]) =>
			html`<option key=${name} value=${name} selected=${name === value}>${text}</option>`)}</select></label>`;
}

/** @param {{groups: any[], complete: boolean}} props */
function Nothing({ groups, complete }) {
	const title = groups.length > 0 && complete ? 'noneFound' : complete ? 'none' : 'noneYet';
	const hint = groups.length > 0 ? 'failures.noneFoundHint' : 'failures.noneHint';
	return html`<${Panel}><${Empty} title=${t('failures.' + title)}>${t(hint)}<//><//>`;
}

/**
 * What is done with several groups at once, in one question and one job.
 * @param {{groups: any[], asked: {queue: string, state: string}, clear: () => void, all: () => void}} props
 */
function Chosen({ groups, asked, clear, all }) {
	return html`<div class=${`bulk ${groups.length > 0 ? 'bulk-on' : ''}`}>
		${groups.length > 0 ? html`<strong>${t('failures.selected', { n: groups.length })}</strong>
			<${Actions} groups=${groups} asked=${asked} />
			<${Button} kind="quiet" small onClick=${clear}>${t('queue.clearSelection')}<//>`
		: html`<span class="muted">${t('failures.selectHint')}</span>`}
		<${Button} kind="quiet" small onClick=${all}>${t('failures.selectAll')}<//></div>`;
}

/**
 * @param {{group: any, params: Record<string, string>, asked: {queue: string, state: string}, selected: boolean | null,
 * toggle: () => void}} props
 */
function Group({ group, params, asked, selected, toggle }) {
	const open = params.open === group.key;
	const queues = Object.entries(group.queues);
	const states = Object.entries(group.states).filter(([, n]) => n > 0);
	const lately = t('failures.lastHour', { n: sum(group.lastHour), minutes: group.lastHour.length * BAR_MINUTES });
	return html`<li class="panel card">
		<div class="card-head">
			${selected !== null && html`<input type="checkbox" checked=${selected} onChange=${toggle}
				aria-label=${t('failures.select', { name: `${group.type} ${group.signature}`.slice(0, 160) })} />`}
			<div class="card-what">
				<h2><${Name} text=${group.type} max=${60} /></h2>
				<p class="card-text mono">${group.signature ? visible(group.signature)
					: html`<span class="muted">${t('failures.noText')}</span>`}</p>
			</div>
			<div class="card-count"><strong class="big-number"><${Num} value=${group.count} exact=${group.exact} /></strong>
				<${Spark} values=${group.lastHour} label=${lately} /></div>
		</div>
		<div class="card-facts">
			<span>${states.map(([state, n]) => html`<span key=${state} class="card-state"><${State} state=${state} /> ${number(n)}</span>`)}
				</span>
			${group.latestLastFailure && html`<span>${t('failures.latest')} <${Ago} value=${group.latestLastFailure} /></span>`}
			${group.count > 1 && group.earliestLastFailure && html`<span title=${t('failures.earliestHint')}>${t('failures.earliest')}${' '}
				<${Ago} value=${group.earliestLastFailure} /></span>`}
			<span class="row">${queues.slice(0, 5).map(([q, n]) => html`<span key=${q}><${QueueLink} q=${q}
				state=${group.states.retry ? 'retry' : 'archived'} max=${28} /> ${number(n)}</span>`)}${
				queues.length > 5 && html`<span class="muted">${t('failures.moreQueues', { n: queues.length - 5 })}</span>`}</span>
		</div>
		<div class="card-foot">
			<span class="row">
			<a class="button button-small" href=${href('failures', { ...params, open: null, group: group.key })}>${t('failures.tasks')}</a>
			<button type="button" class="button button-quiet button-small" aria-expanded=${String(open)}
				onClick=${() => setParams({ open: open ? null : group.key }, { replace: true })}>${
				t('failures.samples', { n: group.samples.length })}</button></span>
			${may('act') && html`<${Actions} groups=${[group]} asked=${asked} />`}
		</div>
		${open && html`<${Samples} samples=${group.samples} />`}
	</li>`;
}

/** @param {{groups: any[], asked: {queue: string, state: string}}} props */
function Actions({ groups, asked }) {
	const archivable = asked.state !== 'archived' && groups.some((group) => group.states.retry > 0);
	return html`<div class="row">
		<${Button} small onClick=${() => actOnGroups('run', groups, asked)}>${t('actions.run')}<//>
		${archivable && html`<${Button} small onClick=${() => actOnGroups('archive', groups, asked)}>${t('actions.archive')}<//>`}
		<${Button} small kind="danger" onClick=${() => actOnGroups('delete', groups, asked)}>${t('actions.delete')}<//>
	</div>`;
}

/** @param {{samples: any[]}} props */
function Samples({ samples }) {
	return html`<ul class="card-more samples">${samples.map((task) => html`<li key=${task.queue + '\n' + task.id}>
		<div><${TaskLink} q=${task.queue} id=${task.id} max=${48} /> <${State} state=${task.state} />${' '}
			<span class="muted">${t('failures.attempts', { n: task.retried })}${
			task.lastFailedAt && html`, ${t('failures.latest')} <${Ago} value=${task.lastFailedAt} />`}</span></div>
		<pre class="wrap">${visible(task.lastError || '')}</pre>
		${config.showPayloads && task.payloadPreview && html`<pre class="wrap muted">${visible(task.payloadPreview)}</pre>`}
	</li>`)}</ul>`;
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
	return { ...a, count: a.count + b.count, exact: a.exact && b.exact, found: a.found || b.found,
		queues: added(a.queues, b.queues), states: added(a.states, b.states),
		earliestLastFailure: pick(a.earliestLastFailure, b.earliestLastFailure, (x, y) => x < y),
		latestLastFailure: pick(a.latestLastFailure, b.latestLastFailure, (x, y) => x > y),
		lastHour: a.lastHour.map((/** @type {number} */ n, /** @type {number} */ i) => n + (b.lastHour[i] || 0)),
		samples: [...a.samples, ...b.samples].slice(0, 3) };
}

/**
 * @param {string | null} a
 * @param {string | null} b
 * @param {(a: string, b: string) => boolean} better
 */
function pick(a, b, better) {
	return a === null || b === null ? a ?? b : better(a, b) ? a : b;
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
