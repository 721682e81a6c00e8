import { perform } from '../actions.js';
import { get, post } from '../api.js';
import { config, may } from '../config.js';
import { useData } from '../data.js';
import { Time, t } from '../format.js';
import { html, useState } from '../lib.js';
import { confirm } from '../parts/dialog.js';
import { AsOf, Await, Badge, Button, Empty, Failed, Name, Panel, QueueLink, Screen, Skeleton, TaskLink, toast } from '../parts/ui.js';
import { href, setParams } from '../router.js';
import { useKeys } from '../shortcuts.js';
import { useSteady } from '../steady.js';

const EVERY = 10_000;

/**
 * Periodic tasks of all live schedulers, Java's and Go's.
 * @param {{params: Record<string, string>}} props
 */
export default function Periodic({ params }) {
	const loaded = useData('schedulers', {}, { every: EVERY });
	const entries = useSteady(loaded.data ? sorted(loaded.data.entries) : [], (entry) => entry.id);
	useKeys({ r: loaded.reload });
	return html`<${Screen} title=${t('screen.periodic')}
		sub=${loaded.data && html`<${AsOf} at=${loaded.data.asOf} note=${t('periodic.count', { n: loaded.data.entries.length })} />`}
		actions=${html`<${Button} onClick=${loaded.reload}>${t('common.refresh')}<//>`}>
		<${Await} of=${loaded} lines=${8}>${(/** @type {any} */ data) => data.entries.length === 0
		? html`<${Panel}><${Empty} title=${t('periodic.none')}>${t('periodic.noneHint')}<//><//>`
		: html`<ul class="cards">
			${entries.map((entry) => html`<${Entry} key=${entry.id} entry=${entry} open=${params.id === entry.id} />`)}</ul>`}<//>
	<//>`;
}

/**
 * The next to fire first, those that never do last.
 * @param {any[]} entries
 */
function sorted(entries) {
	return [...entries].sort((a, b) => (a.next || '9').localeCompare(b.next || '9') || a.id.localeCompare(b.id));
}

/** @param {{entry: any, open: boolean}} props */
function Entry({ entry, open }) {
	return html`<li class="panel card">
		<div class="card-head">
			<div class="card-what"><h2><${Name} text=${entry.type} max=${60} /></h2>
				<p class="row"><code class="spec">${entry.spec}</code> <span class="muted">
					${t('periodic.into')}</span> <${QueueLink} q=${entry.queue || 'default'} />
					<${Badge} kind=${entry.origin === 'go' ? 'info' : 'plain'} title=${t(`periodic.${entry.origin}Hint`)}>
						${t('periodic.' + entry.origin)}<//>${
						entry.here && html` <${Badge} kind="ok" title=${t('periodic.hereHint')}>${t('periodic.here')}<//>`}</p></div>
			${may('act') && html`<${Button} small onClick=${() => runNow(entry)}>${t('periodic.run')}<//>`}
		</div>
		<dl class="facts facts-wide">
			<div><dt>${t('periodic.next')}</dt><dd><${Time} value=${entry.next} /></dd></div>
			<div><dt>${t('periodic.previous')}</dt><dd><${Time} value=${entry.previous} /></dd></div>
			<div><dt>${t('periodic.id')}</dt><dd><${Name} text=${entry.id} max=${48} copy /></dd></div>
			<div><dt>${t('periodic.options')}</dt>
				<dd>${(entry.options || []).length > 0 ? html`<code class="wrap">${entry.options.join(' ')}</code>`
				: html`<span class="muted">${t('common.none')}</span>`}</dd></div>
		</dl>
		<button type="button" class="button button-quiet button-small" aria-expanded=${String(open)}
			onClick=${() => setParams({ id: open ? null : entry.id }, { replace: true })}>${t('periodic.fires')}</button>
		${open && html`<div class="card-more cols-even"><${Fires} entry=${entry} /><${History} entry=${entry} /></div>`}
	</li>`;
}

/** @param {{entry: any}} props */
function Fires({ entry }) {
	const fires = entry.nextFires || [];
	return html`<section><h3>${t('periodic.nextFires')}</h3>${fires.length === 0 ? html`<p class="muted">${t('periodic.never')}</p>`
		: html`<ol class="plain">${fires.map((/** @type {string} */ at) => html`<li key=${at}><${Time} value=${at} /></li>`)}</ol>`}
			</section>`;
}

/** @param {{entry: any}} props */
function History({ entry }) {
	const first = useData('scheduler-events', { id: entry.id });
	const [more, setMore] = useState(/** @type {any[]} */ ([]));
	const parts = first.data ? [first.data, ...more] : [];
	const last = parts[parts.length - 1];
	const events = parts.flatMap((part) => part.entries);
	async function older() {
		const next = await get('scheduler-events', { id: entry.id, cursor: last.next }).catch((e) => toast(e.message, { kind: 'bad' }));
		if (next) {
			setMore([...more, next]);
		}
	}
	return html`<section><h3>${t('periodic.history')}</h3>
		${first.error && !first.data ? html`<${Failed} error=${first.error} retry=${first.reload} />`
		: !first.data ? html`<${Skeleton} lines=${2} />`
		: events.length === 0 ? html`<p class="muted">${t('periodic.noHistory')}</p>`
		: html`<ol class="plain">${events.map((event) => html`<li key=${event.taskId}>
			<${Time} value=${event.enqueuedAt} /> <${TaskLink} q=${event.queue || entry.queue || 'default'} id=${event.taskId} /></li>`)}
			</ol>`}
		${last && last.next && html`<${Button} small onClick=${older}>${t('periodic.older')}<//>`}</section>`;
}

/** @param {any} entry */
async function runNow(entry) {
	/** @type {any} */
	const answer = await confirm({ title: t('periodic.runTitle'),
		text: html`${t('periodic.runText')} <code class="wrap">${entry.type}</code>`, button: t('periodic.run') });
	if (!answer) {
		return;
	}
	const done = await perform(() => post('scheduler/run', { id: entry.id, ...(answer.reason && { reason: answer.reason }) }), () => null);
	if (!done) {
		return;
	}
	if (done.task) {
		toast(t('periodic.ran'), { link: { href: href('task', { q: done.task.queue, id: done.task.id }), text: t('periodic.openTask') } });
	}
	else {
		toast(t('periodic.ranNothing'));
	}
}
