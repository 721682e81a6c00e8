import { apiUrl, get } from '../api.js';
import { actOnIds, startJob, writes } from '../actions.js';
import { may } from '../config.js';
import { useData } from '../data.js';
import { Ago, For, formatTime, number, shorten, t } from '../format.js';
import { html, useEffect, useRef, useState } from '../lib.js';
import { href, navigate, setParams } from '../router.js';
import { useKeys } from '../shortcuts.js';
import { useStore } from '../store.js';
import { JobProgress } from './job.js';
import { Table } from './table.js';
import { AsOf, Await, Badge, Button, Empty, Failed, Icon, Name, Panel, Skeleton, TaskLink, visible } from './ui.js';

const PAGE = 50;

/**
 * What can be done by hand with tasks of a state.
 * @type {Record<string, ('run' | 'archive' | 'delete' | 'cancel')[]>}
 */
export const ACTIONS = {
	active: ['cancel'], pending: ['archive', 'delete'], aggregating: ['run', 'archive', 'delete'], scheduled: ['run', 'archive', 'delete'],
	retry: ['run', 'archive', 'delete'], archived: ['run', 'delete'], completed: ['delete'],
};

/**
 * The tasks of a queue in one state. What is on the screen does not move by itself: that there is more is said.
 * @param {{q: string, state: string, group: string, filter: string, size: number}} props `size` is how many there are now
 */
export function TaskList({ q, state, group, filter, size }) {
	const [list, setList] = useState(/** @type {any} */ (null));
	const [error, setError] = useState(/** @type {any} */ (null));
	const [busy, setBusy] = useState(false);
	const [selected, setSelected] = useState(/** @type {Set<string>} */ (new Set()));
	const [job, setJob] = useState(/** @type {any} */ (null));
	const written = useStore(writes);
	const own = useRef(/** @type {AbortController | null} */ (null));
	const sizeNow = useRef(size);
	sizeNow.current = size;
	const needsGroup = state === 'aggregating' && !group;

	/** @param {string} [cursor] */
	async function read(cursor) {
		if (needsGroup) {
			return;
		}
		if (own.current) {
			own.current.abort();
		}
		const control = new AbortController();
		own.current = control;
		setBusy(true);
		try {
			const page = await get('tasks', { q, state, group, filter, cursor, size: PAGE }, { signal: control.signal });
			setList((old) => cursor && old ? { ...page, entries: merged(old.entries, page.entries), base: old.base }
				: { ...page, base: filter || group ? sizeNow.current : page.total });
			if (!cursor) {
				const there = new Set(page.entries.map((one) => one.id));
				setSelected((old) => new Set([...old].filter((id) => there.has(id))));
			}
			setError(null);
			setBusy(false);
		}
		catch (e) {
			if (!control.signal.aborted) {
				setError(e);
				setBusy(false);
			}
		}
	}
	useEffect(() => {
		read();
		return () => own.current ? own.current.abort() : undefined;
	}, []);
	useEffect(() => {
		// What this page has changed itself is shown at once
		if (written > 0 && list) {
			read();
		}
	}, [written]);
	useKeys({
		r: () => read(),
		'/'() {
			const input = document.getElementById('task-filter');
			if (input) {
				input.focus();
			}
		},
	});

	const entries = list ? list.entries : [];
	return html`<div class="stack">
		${job && html`<${Panel}><${JobProgress} job=${job} onEnd=${() => read()} onClose=${() => setJob(null)} /><//>`}
		<section class="panel panel-flush" aria-label=${t('state.' + state)}>
			<div class="list-tools">
				${state === 'aggregating' && html`<${GroupPicker} q=${q} group=${group} />`}
				${!needsGroup && html`<${Filter} filter=${filter} error=${error && error.code === 'filter' ? error.message : ''} />`}
			</div>
			${!needsGroup && html`<div class="list-state"><span class="list-count" aria-live="polite">
				${list && counted(list, filter)}</span>
				${list && html`<${AsOf} at=${list.asOf} />`}
					<${Changed} list=${list} size=${size} exact=${!filter && !group} busy=${busy} read=${() => read()} />
				<span class="list-end">
					<a class="button button-quiet button-small" href=${apiUrl('export', { q, state, group, filter })} download
					title=${t('queue.csvHint')}><${Icon} name="download" /> ${t('queue.csv')}</a>
				<${Button} kind="quiet" small label=${t('common.refresh')} title=${`${t('common.refresh')} (r)`} onClick=${() => read()}>
					<${Icon} name="refresh" /><//></span></div>`}
			${may('act') && !needsGroup && (ACTIONS[state] || []).length > 0
				&& html`<${Bulk} q=${q} state=${state} group=${group} filter=${filter} size=${size} selected=${selected} entries=${entries}
				clear=${() => setSelected(new Set())} started=${setJob} />`}
			<div class="panel-body">${needsGroup ? html`<${Groups} q=${q} size=${size} />`
		: !list && error ? html`<${Failed} error=${error} retry=${() => read()} />`
		: !list ? html`<${Skeleton} lines=${12} />`
		: html`<${Table} label=${t('state.' + state)} columns=${columnsOf(state)} rows=${entries} keyOf=${(one) => one.id}
			selected=${may('act') ? selected : undefined} onSelect=${setSelected}
				onOpen=${(one) => navigate('task', { q, id: one.id })} empty=${nothing(state, filter, list)} />
			${error && error.code !== 'filter' && html`<p class="pad error-text" role="alert">${error.message}</p>`}
			${list.next && html`<div class="pad row"><${Button} onClick=${() => read(list.next)}>
				${filter ? t('common.goOn') : t('queue.next')}<//><span class="muted">${counted(list, filter)}</span></div>`}`}</div>
		</section>
	</div>`;
}

/**
 * The next page behind those that are here. A task that has moved between two reads is shown once.
 * @param {any[]} old
 * @param {any[]} next
 */
function merged(old, next) {
	const ids = new Set(old.map((one) => one.id));
	return [...old, ...next.filter((one) => !ids.has(one.id))];
}

/**
 * @param {any} list
 * @param {string} filter
 */
function counted(list, filter) {
	const n = list.entries.length;
	return filter ? html`${t('queue.showingMatches', { n })} <span class="muted">
		· ${t('common.scanned', { scanned: list.scanned, total: list.total })}</span>` : t('queue.showing', { n, total: list.total });
}

/**
 * That the list is old, and the way to a new one.
 * @param {{list: any, size: number, exact: boolean, busy: boolean, read: () => any}} props
 */
function Changed({ list, size, exact, busy, read }) {
	if (!list || busy || size === list.base) {
		return html`<span class="changed"></span>`;
	}
	const by = size - list.base;
	return html`<button type="button" class="changed on" onClick=${read}>
		${!exact ? t('queue.changed') : by > 0 ? t('queue.changedMore', { n: by }) : t('queue.changedLess', { n: -by })}</button>`;
}

/** @param {{filter: string, error: string}} props */
function Filter({ filter, error }) {
	const [text, setText] = useState(filter);
	useEffect(() => setText(filter), [filter]);
	/** @param {Event} event */
	function submit(event) {
		event.preventDefault();
		setParams({ filter: text.trim() });
	}
	return html`<form class="filter" role="search" onSubmit=${submit}>
		<input id="task-filter" class="input mono" type="search" aria-label=${t('queue.filter')} aria-describedby="filter-note"
			aria-invalid=${error ? 'true' : undefined} placeholder=${t('queue.filterPlaceholder')} spellcheck="false" autocomplete="off"
			value=${text}
			onInput=${(e) => setText(e.target.value)} title=${t('queue.filterHelp')} />
		<${Button} type="submit">${t('queue.filterApply')}<//>
			${filter && html`<${Button} kind="quiet" onClick=${() => setParams({ filter: null })}>${t('queue.filterClear')}<//>`}
		<small id="filter-note" class=${error ? 'error-text' : 'hidden'} role=${error ? 'alert' : undefined}>
			${error || t('queue.filterHelp')}</small>
	</form>`;
}

/**
 * A queue may have very many groups: the first are suggested, any name can be typed.
 * @param {{q: string, group: string}} props
 */
function GroupPicker({ q, group }) {
	const loaded = useData('groups', { q, size: 200 });
	const groups = (loaded.data && loaded.data.entries) || [];
	return html`<label class="group-picker"><span class="small-caps">${t('queue.group')}</span>
		<input class="input mono" list="task-groups" value=${group} autocomplete="off" spellcheck="false"
		placeholder=${groups.length === 0 && !loaded.loading ? t('queue.noGroups') : t('queue.chooseGroup')}
			onChange=${(e) => setParams({ group: e.target.value, filter: null })} />
		<datalist id="task-groups">${groups.map((one) => html`<option key=${one.name} value=${one.name}>${number(one.size)}</option>`)}
			</datalist></label>`;
}

/**
 * The groups to choose from, each a link.
 * @param {{q: string, size: number}} props
 */
function Groups({ q, size }) {
	const loaded = useData('groups', { q, size: 200 });
	if (size === 0) {
		return html`<${Empty} title=${t('queue.emptyAggregating')}>${t('queue.emptyAggregatingHint')}<//>`;
	}
	return html`<${Await} of=${loaded}>${(answer) =>
		html`<ul class="lines">${answer.entries.map((one) => html`<li class="line-group" key=${one.name}>
		<a class="mono name" href=${href('queue', { q, state: 'aggregating', group: one.name })}>${visible(shorten(one.name, 80))}</a>
		<span class="num">${number(one.size)}</span></li>`)}</ul>
		${answer.next && html`<p class="pad muted">${t('queue.groupsMore', { n: answer.entries.length })}</p>`}`}<//>`;
}

/**
 * @param {{q: string, state: string, group: string, filter: string, size: number, selected: Set<string>, entries: any[], clear: ()
 * => void, started: (job: any) => void}} props
 */
function Bulk({ q, state, group, filter, size, selected, entries, clear, started }) {
	const actions = ACTIONS[state] || [];
	// An id that is not on the screen any more is not acted upon
	const ids = entries.filter((one) => selected.has(one.id)).map((one) => one.id);
	if (ids.length > 0) {
		return html`<div class="bulk bulk-on"><strong>${t('queue.selected', { n: ids.length })}</strong>
			${actions.map((action) => html`<${Button} key=${action} small kind=${action === 'delete' ? 'danger' : 'plain'}
			onClick=${async () => (await actOnIds(action, { q, state, group, ids: ids.slice(0, 500) })) && clear()}>
				${t('actions.' + action)}<//>`)}<${Button} kind="quiet" small onClick=${clear}>${t('queue.clearSelection')}<//></div>`;
	}
	const text = filter ? t('queue.scopeFilter', { state: t('state.' + state), queue: shorten(q, 80), filter: shorten(filter, 120) })
		: group ? t('queue.scopeGroup', { group: shorten(group, 80), queue: shorten(q, 80) })
		: t('queue.scopeAll', { state: t('state.' + state), queue: shorten(q, 80) });
	return html`<div class="bulk"><span class="muted">
		${filter ? t('queue.wholeFilter') : group ? t('queue.wholeGroup')
		: t('queue.wholeScope', { n: size, state: t('state.' + state) })} ${t('queue.asJob')}</span>
		${actions.map((action) => (action !== 'delete' || filter || may('admin'))
			&& html`<${Button} key=${action} kind="link" small disabled=${size === 0} onClick=${async () => {
		const job = await startJob(action, { q, state, group: group || undefined, filter: filter || undefined,
			all: filter ? undefined : true }, text);
		if (job) {
			started(job);
		}
	}}>${t('actions.' + action)}<//>`)}<span class="bulk-hint muted">${t('queue.selectHint')}</span></div>`;
}

/**
 * @param {string} state
 * @param {string} filter
 * @param {any} list
 */
function nothing(state, filter, list) {
	if (filter) {
		return html`<${Empty} title=${t('queue.noMatch')}>
			${t('queue.noMatchHint')} ${t('common.scanned', { scanned: list.scanned, total: list.total })}.<//>`;
	}
	const key = 'queue.empty' + state.charAt(0).toUpperCase() + state.slice(1);
	return html`<${Empty} title=${t(key)}>${t(key + 'Hint')}<//>`;
}

/** @param {any} task */
const waits = (task) => (task.waitsFor || []).length > 0;
/** @param {any} task */
const error = (task) => waits(task)
	? html`<span class="clip"><${Badge} kind="info" title=${t('task.waitsHint')}>${t('task.waits')}<//> <span class="mono">
	${visible(shorten(task.waitsFor.join(', '), 240))}</span></span>`
	: html`<span class="clip mono error-line" title=${shorten(task.lastError || '', 1500)}>
		${visible(shorten((task.lastError || '').split('\n')[0], 240)) || html`<span class="muted">–</span>`}</span>`;
/** @param {any} task */
const retries = (task) => html`<span class="num">${number(task.retried)} / ${number(task.maxRetry)}</span>`;
/** @param {string} name */
const when = (name) => (task) => task[name] ? html`<span class="num" title=${formatTime(task[name])}><${Ago} value=${task[name]} /></span>`
	: html`<span class="muted">–</span>`;

/** @param {string} state */
function columnsOf(state) {
	/** @type {import('./table.js').Column<any>[]} */
	const columns = [
		{ key: 'id', title: t('queue.id'), class: 'id-cell',
			draw: (task) => html`<${TaskLink} q=${task.queue} id=${task.id} max=${18} />
			${task.orphaned && html` <${Badge} kind="bad" title=${t('task.orphanedHint')}>${t('task.orphaned')}<//>`}` },
		{ key: 'type', title: t('queue.type'), class: 'type-cell', draw: (task) => html`<${Name} text=${task.type} max=${48} />` },
	];
	const payload = { key: 'payload', title: t('queue.payload'), class: 'wide low', draw: (task) => task.payloadPreview === null
		|| task.payloadPreview === undefined
		? html`<span class="muted">${task.payloadSize ? t('queue.hidden') : t('queue.empty')}</span>`
			: html`<span class="clip clip-1 mono payload-line" title=${task.payloadPreview}>
				${visible(task.payloadPreview)}</span>` };
	if (state === 'active') {
		columns.push(payload, { key: 'started', title: t('queue.startedAt'), class: 'tight', draw: (task) => task.startedAt
			? html`<span class="num"><${For} since=${task.startedAt} /></span>` : html`<span class="muted">–</span>` },
			{ key: 'deadline', title: t('queue.deadline'), class: 'tight low', draw: when('deadline') },
			{ key: 'server', title: t('queue.server'), class: 'low', draw: (task) => html`<${Name} text=${task.server} max=${24} />` });
	}
	else if (state === 'retry') {
		columns.push({ key: 'error', title: t('queue.lastError'), class: 'wide', draw: error },
			{ key: 'due', title: t('queue.nextAt'), class: 'tight', draw: (task) => when('nextProcessAt')(waits(task) ? {} : task) },
			{ key: 'retried', title: t('queue.retried'), class: 'tight', draw: retries },
			{ key: 'failed', title: t('queue.failedAt'), class: 'tight low', draw: when('lastFailedAt') });
	}
	else if (state === 'archived') {
		columns.push({ key: 'error', title: t('queue.lastError'), class: 'wide', draw: error },
			{ key: 'failed', title: t('queue.failedAt'), class: 'tight', draw: when('lastFailedAt') },
			{ key: 'retried', title: t('queue.retried'), class: 'tight low', draw: retries });
	}
	else if (state === 'scheduled') {
		columns.push(payload, { key: 'due', title: t('queue.nextAt'), class: 'tight', draw: when('nextProcessAt') });
	}
	else if (state === 'completed') {
		columns.push(payload, { key: 'completed', title: t('queue.completedAt'), class: 'tight', draw: when('completedAt') });
	}
	else if (state === 'aggregating') {
		columns.push(payload, { key: 'group', title: t('queue.group'), draw: (task) => html`<${Name} text=${task.group} max=${32} />` });
	}
	else {
		columns.push(payload, { key: 'pending', title: t('queue.pendingSince'), class: 'tight', draw: (task) => task.pendingSince
			? html`<span class="num" title=${formatTime(task.pendingSince)}><${For} since=${task.pendingSince} /></span>`
			: html`<span class="muted">–</span>` }, { key: 'retried', title: t('queue.retried'), class: 'tight', draw: retries });
	}
	return columns;
}
