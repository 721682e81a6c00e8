import { clean, perform } from '../actions.js';
import { get, post } from '../api.js';
import { may } from '../config.js';
import { useData } from '../data.js';
import { hasText, number, t } from '../format.js';
import { html, useEffect, useRef, useState } from '../lib.js';
import { confirm } from '../parts/dialog.js';
import { Table } from '../parts/table.js';
import { AsOf, Badge, Button, Empty, Failed, Name, Panel, Screen, visible } from '../parts/ui.js';
import { href, setParams } from '../router.js';
import { useKeys } from '../shortcuts.js';

/** How many findings of one kind are listed. */
const SHOWN = 50;

/**
 * What is wrong so far: how many by kind, and the first of them.
 * @typedef {{counts: Record<string, number>, list: any[], unhandled: Record<string, number>, limited: number, held: number}} Found
 */

/** @type {Found} */
const NOTHING = { counts: {}, list: [], unhandled: {}, limited: 0, held: 0 };

/**
 * Looks for data that contradicts itself, a part of a queue at a time, and repairs it after a dry run.
 * @param {{params: Record<string, string>}} props
 */
export default function Doctor({ params }) {
	const queues = useQueues();
	const q = params.q || '';
	return html`<${Screen} title=${t('screen.doctor')} sub=${t('doctor.sub')}>
		<div class="filters">
			<label class="field field-inline field-grow"><span>${t('doctor.queue')}</span>
				<select class="input" value=${q} onChange=${(/** @type {any} */ e) => setParams({ q: e.target.value })}>
				<option value="">${t('doctor.choose')}</option>
					${[...new Set([...(q ? [q] : []), ...queues])].map((name) =>
					html`<option key=${name} value=${name} selected=${name === q}>${visible(name).slice(0, 80)}</option>`)}</select></label>
		</div>
		${q ? html`<${Examination} key=${q} q=${q} />`
			: html`<${Panel}><${Empty} title=${t('doctor.none')}>${t('doctor.noneHint')}<//><//>`}
	<//>`;
}

/** The names of all queues. */
function useQueues() {
	const first = useData('queues');
	const [more, setMore] = useState(/** @type {any[]} */ ([]));
	const parts = first.data ? [first.data, ...more] : [];
	const next = parts.length > 0 ? parts[parts.length - 1].next : null;
	useEffect(() => {
		if (next && parts.length < 20) {
			get('queues', { cursor: next }).then((part) => setMore([...more, part]), () => {});
		}
	}, [next]);
	return parts.flatMap((part) => part.entries.map((/** @type {any} */ one) => one.queue)).sort();
}

/** @param {{q: string}} props */
function Examination({ q }) {
	const [found, setFound] = useState(/** @type {Found} */ (NOTHING));
	const [state, setState] = useState(/** @type {{running: boolean, parts: number, next: any, asOf: string, error: any}} */ (
		{ running: false, parts: 0, next: undefined, asOf: '', error: null }));
	const [report, setReport] = useState(/** @type {any} */ (null));
	const running = useRef(false);
	useEffect(() => () => {
		running.current = false;
	}, []);
	useKeys({ r: () => look(true) });

	/** @param {boolean} fromStart */
	async function look(fromStart) {
		if (running.current) {
			return;
		}
		running.current = true;
		let all = fromStart ? NOTHING : found;
		let parts = fromStart ? 0 : state.parts;
		let next = fromStart ? null : state.next;
		if (fromStart) {
			setFound(NOTHING);
			setReport(null);
		}
		try {
			do {
				setState((old) => ({ ...old, running: true, parts, error: null }));
				const part = await get('diagnosis', { q, cursor: next });
				all = { counts: added(all.counts, part.counts), list: [...all.list, ...part.inconsistencies],
					unhandled: { ...all.unhandled, ...part.unhandled }, limited: all.limited + part.limited, held: all.held + part.held };
				next = part.next;
				parts++;
				setFound(all);
				setState({ running: running.current && next !== null, parts, next, asOf: part.asOf, error: null });
			}
			while (next !== null && running.current);
		}
		catch (error) {
			setState((old) => ({ ...old, running: false, error }));
		}
		running.current = false;
		setState((old) => ({ ...old, running: false }));
	}
	function stop() {
		running.current = false;
	}
	const kinds = /** @type {[string, number][]} */ (Object.entries(found.counts)).sort((a, b) => b[1] - a[1]);
	const unhandled = Object.entries(found.unhandled);
	const wrong = kinds.reduce((sum, [, n]) => sum + n, unhandled.length);
	const complete = state.next === null;
	return html`<${Panel} title=${html`<${Name} text=${q} max=${50} />`}
		aside=${state.asOf && html`<${AsOf} at=${state.asOf} exact=${complete} note=${t('doctor.parts', { n: state.parts })} />`}>
			<p>${t('doctor.looks')}</p>
			<div class="row">${state.running ? html`<${Button} onClick=${stop}>${t('doctor.stop')}<//>`
				: html`<button type="button" class="button button-primary" onClick=${() => look(true)}>
					${state.parts > 0 ? t('doctor.again') : t('doctor.look')}</button>
					${state.parts > 0 && !complete && html`<${Button} onClick=${() => look(false)}>${t('doctor.goOn')}<//>`}`}</div>
			<p role="status" aria-live="polite">${state.running ? t('doctor.running', { n: state.parts }) : state.parts === 0 ? ''
				: wrong > 0 ? t('doctor.found', { n: wrong })
				: complete ? t('doctor.clean') : t('doctor.cleanSoFar')}</p>
			${found.limited > 0 && html`<p>${t('doctor.limited', { n: found.limited })} <a href=${href('servers')}>
				${t('servers.limits')}</a></p>`}
			${found.held > 0 && html`<p>${t('doctor.held', { n: found.held })} <a href=${href('servers')}>${t('screen.servers')}</a></p>`}
			${state.error && html`<${Failed} error=${state.error} retry=${() => look(state.parts === 0)} />`}
		<//>
		${kinds.length > 0 && html`<${Repair} q=${q} kinds=${kinds} report=${report} setReport=${setReport} done=${() => look(true)} />`}
		${unhandled.length > 0 && html`<${Unhandled} types=${unhandled} />`}
		${kinds.map(([kind, count]) => html`<${Finding} key=${kind} kind=${kind} count=${count}
			list=${found.list.filter((one) => one.kind === kind)} />`)}`;
}

/**
 * @param {Record<string, number>} a
 * @param {Record<string, number>} b
 */
function added(a, b) {
	const sum = { ...a };
	for (const [kind, n] of Object.entries(b || {})) {
		sum[kind] = (sum[kind] || 0) + n;
	}
	return sum;
}

/** @param {string} kind */
function nameOf(kind) {
	const key = kind.toLowerCase().replace(/-/g, '_');
	return hasText(`doctor.kind.${key}.name`) ? { name: t(`doctor.kind.${key}.name`), repair: t(`doctor.kind.${key}.repair`) }
		: { name: kind, repair: '' };
}

/** @param {{kind: string, count: number, list: any[]}} props */
function Finding({ kind, count, list }) {
	return html`<${Panel} title=${html`${nameOf(kind).name} <span class="muted">${number(count)}</span>`} flush>
		<${Table} label=${nameOf(kind).name} keys=${false} rows=${list.slice(0, SHOWN)}
			keyOf=${(/** @type {any} */ row) => [row.id, row.place, row.detail].join('\n')} columns=${[
		{ key: 'id', title: t('doctor.id'), draw: (/** @type {any} */ row) => html`<${Name} text=${row.id} max=${48} />` },
		{ key: 'detail', title: t('doctor.detail'), class: 'wide', draw: (/** @type {any} */ row) => visible(row.detail || '') },
	]} />
		${count > SHOWN && html`<p class="muted pad">${t('doctor.more', { n: count - SHOWN })}</p>`}
	<//>`;
}

/** @param {{types: [string, number][]}} props */
function Unhandled({ types }) {
	return html`<${Panel} title=${html`${t('doctor.unhandled')} <span class="muted">${number(types.length)}</span>`} flush>
		<${Table} label=${t('doctor.unhandled')} keys=${false} rows=${types} keyOf=${(/** @type {any} */ row) => row[0]} columns=${[
		{ key: 'type', title: t('doctor.type'), class: 'wide',
			draw: (/** @type {any} */ row) => html`<${Name} text=${row[0]} max=${48} />` },
		{ key: 'waiting', title: t('doctor.waiting'), draw: (/** @type {any} */ row) => number(row[1]) },
	]} />
		<p class="muted pad">${t('doctor.unhandledHint')}</p>
	<//>`;
}

/** @param {{q: string, kinds: [string, number][], report: any, setReport: (report: any) => void, done: () => any}} props */
function Repair({ q, kinds, report, setReport, done }) {
	const [off, setOff] = useState(/** @type {Set<string>} */ (new Set()));
	const chosen = kinds.map(([kind]) => kind).filter((kind) => !off.has(kind));
	/** @param {string} kind */
	function toggle(kind) {
		const next = new Set(off);
		if (!next.delete(kind)) {
			next.add(kind);
		}
		setOff(next);
		setReport(null);
	}
	/**
	 * @param {boolean} apply
	 * @param {any} [answer]
	 */
	async function repair(apply, answer = {}) {
		let repaired = /** @type {Record<string, number>} */ ({});
		let examples = /** @type {any[]} */ ([]);
		let left = 0;
		let cursor = /** @type {any} */ (null);
		do {
			const part = await perform(() => post(apply ? 'repair' : 'repair/preview',
				clean({ q, kinds: chosen, apply, cursor, reason: answer.reason, confirm: answer.confirm })), () => null);
			if (!part) {
				return;
			}
			repaired = added(repaired, part.repaired);
			examples = [...examples, ...part.examples];
			left += part.left || 0;
			cursor = part.next;
		}
		while (cursor);
		setReport({ apply, n: Object.values(repaired).reduce((a, b) => a + b, 0), examples, left });
	}
	async function apply() {
		const answer = await confirm({ title: t('doctor.applyTitle'),
			text: html`${t('doctor.applyText')} <ul class="plain">
			${chosen.map((kind) => html`<li key=${kind}>${nameOf(kind).repair || kind}</li>`)}</ul>`,
			button: t('doctor.apply'), danger: true, q, type: true });
		if (answer) {
			await repair(true, answer);
			await done();
		}
	}
	return html`<${Panel} title=${t('doctor.repair')}>
		<fieldset class="kinds"><legend class="hidden">${t('doctor.kinds')}</legend>
			${kinds.map(([kind, count]) => html`<label key=${kind} class="check">
			<input type="checkbox" checked=${!off.has(kind)} onChange=${() => toggle(kind)} />
			<span>${nameOf(kind).name} <span class="muted">${number(count)}</span><small>${nameOf(kind).repair}</small></span></label>`)}
				</fieldset>
		<div class="row">
			<${Button} disabled=${chosen.length === 0} onClick=${() => repair(false)}>${t('doctor.dryRun')}<//>
			${may('admin') ? html`<${Button} kind="danger" disabled=${chosen.length === 0 || !report || report.apply}
				title=${!report ? t('doctor.dryRunFirst') : undefined} onClick=${apply}>${t('doctor.apply')}<//>`
		: html`<span class="muted">${t('doctor.adminOnly')}</span>`}
		</div>
		${report && html`<div class="report" role="status"><p><${Badge} kind=${report.apply ? 'ok' : 'info'}>
			${report.apply ? t('doctor.repaired', { n: report.n })
		: t('doctor.wouldRepair', { n: report.n })}<//>
			${report.left > 0 && html` <span class="muted">${t('doctor.left', { n: report.left })}</span>`}</p>
			<ul class="plain">${report.examples.slice(0, SHOWN)
				.map((/** @type {any} */ one, /** @type {number} */ i) => html`<li key=${i}>${nameOf(one.kind).name}
				: <${Name} text=${one.id} max=${48} /> <span class="muted">${visible(one.detail || '')}</span></li>`)}</ul></div>`}
	<//>`;
}
