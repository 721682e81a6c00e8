import { stopJob } from '../actions.js';
import { may } from '../config.js';
import { useData } from '../data.js';
import { Ago, duration, hasText, number, serverNow, t, useNow } from '../format.js';
import { html, useEffect } from '../lib.js';
import { liveJob } from '../live.js';
import { AsOf, Await, Badge, Button, Empty, Panel, QueueLink, Screen, TaskLink, visible } from '../parts/ui.js';
import { href, setParams } from '../router.js';
import { useKeys } from '../shortcuts.js';
import { useStore } from '../store.js';

/** Events come by the stream; this is for when there is none. */
const EVERY = 5000;

/** @type {Record<string, string>} */
const KINDS = { running: 'info', done: 'ok', stopped: 'warn', failed: 'bad' };

/**
 * Bulk work in the background: what was asked for, how far it is, what could not be done.
 * @param {{params: Record<string, string>}} props
 */
export default function Jobs({ params }) {
	const loaded = useData('jobs', {}, { every: EVERY });
	const event = useStore(liveJob);
	useKeys({ r: loaded.reload });
	useEffect(() => {
		const moved = event && (event.job || event);
		if (moved && moved.id && loaded.data) {
			const known = loaded.data.jobs.some((/** @type {any} */ job) => job.id === moved.id);
			loaded.change((data) => data && ({ ...data,
				jobs: known ? data.jobs.map((/** @type {any} */ job) => (job.id === moved.id ? moved : job)) : [moved, ...data.jobs] }));
		}
	}, [event]);
	return html`<${Screen} title=${t('screen.jobs')} sub=${loaded.data && html`<${AsOf} at=${loaded.data.asOf} />`}
		actions=${html`<${Button} onClick=${loaded.reload}>${t('common.refresh')}<//>`}>
		<p class="hint">${t('jobs.hint')}</p>
		<${Await} of=${loaded} lines=${6}>${(/** @type {any} */ data) => data.jobs.length === 0
		? html`<${Panel}><${Empty} title=${t('jobs.none')}>${t('jobs.noneHint')}<p><a class="button" href=${href('failures')}>
			${t('screen.failures')}</a></p><//><//>`
		: html`<ul class="cards">${sorted(data.jobs)
			.map((job) => html`<${Job} key=${job.id} job=${job} open=${params.id === job.id} reload=${loaded.reload} />`)}</ul>`}<//>
	<//>`;
}

/** @param {any[]} jobs */
function sorted(jobs) {
	return [...jobs].sort((a, b) => Number(b.state === 'running') - Number(a.state === 'running')
		|| b.startedAt.localeCompare(a.startedAt));
}

/** @param {{job: any, open: boolean, reload: () => any}} props */
function Job({ job, open, reload }) {
	const refusals = job.refusals || [];
	const q = job.q || job.queue;
	return html`<li class="panel card">
		<div class="card-head">
			<h2>${hasText(`jobs.${job.action}`) ? t(`jobs.${job.action}`) : visible(job.action)}</h2>
			<${Badge} kind=${KINDS[job.state] || 'plain'}>
				${hasText(`jobs.state.${job.state}`) ? t(`jobs.state.${job.state}`) : visible(job.state)}<//>
			<span class="card-what">${q ? html`<${QueueLink} q=${q} />` : html`<span class="muted">${t('jobs.allQueues')}</span>`}
				${scope(job)}</span>
			${job.state === 'running' && may('act') && html`<${Button} small onClick=${() => stop(job, reload)}>${t('jobs.stop')}<//>`}
		</div>
		${(job.failures || []).length > 0 && html`<ul class="plain">${job.failures.map((/** @type {any} */ one) => html`<li
			key=${`${one.type} ${one.error}`}><code class="wrap">${visible(one.type)}</code> <code class="wrap">${
			one.error ? visible(one.error) : t('failures.noText')}</code></li>`)}</ul>`}
		<${Progress} job=${job} />
		<p class="muted">${job.by && html`${visible(job.by)} · `}<${Ago} value=${job.startedAt} /> · <${Took} job=${job} />
			${job.reason && html` · ${visible(job.reason)}`}</p>
		${job.error && html`<p class="error-text">${visible(job.error)}</p>`}
		${refusals.length > 0 && html`<button type="button" class="button button-quiet button-small" aria-expanded=${String(open)}
			onClick=${() => setParams({ id: open ? null : job.id }, { replace: true })}>${t('jobs.refusals', { n: job.refused })}</button>`}
		${open && refusals.length > 0 && html`<ul class="card-more plain">
			${refusals.map((/** @type {any} */ one) => html`<li key=${one.queue + '\n' + one.id}>
				<${QueueLink} q=${one.queue} max=${28} />${' '}
				<${TaskLink} q=${one.queue} id=${one.id} max=${48} /> <span>${visible(one.error || '')}</span></li>`)}
			${job.refused > refusals.length && html`<li class="muted">${t('jobs.moreRefusals', { n: job.refused - refusals.length })}</li>`}
				</ul>`}
	</li>`;
}

/** @param {any} job */
function scope(job) {
	const parts = [...(job.states || (job.state && job.of ? [job.of] : [])), job.group, job.filter].filter(Boolean);
	return parts.length > 0 && html` <code class="wrap">${visible(parts.join(' '))}</code>`;
}

/** @param {{job: any}} props */
function Progress({ job }) {
	const ended = job.done + job.refused;
	const known = job.total > 0;
	const share = job.state === 'done' ? 1 : known ? Math.min(1, Math.max(ended, job.scanned || 0) / job.total) : 0;
	return html`<div class="job-progress"><div class="progress" role="progressbar" aria-label=${t('jobs.progress')} aria-valuemin="0"
		aria-valuemax="100" aria-valuenow=${Math.round(share * 100)}>
		<i style=${{ width: `${share * 100}%` }}></i></div>
			<span>${t('jobs.counts', { done: job.done, refused: job.refused, scanned: job.scanned || 0, total: job.total || 0 })}
			</span></div>`;
}

/** @param {{job: any}} props */
function Took({ job }) {
	useNow();
	const end = job.endedAt ? Date.parse(job.endedAt) : serverNow();
	return html`<span>${t('jobs.took', { duration: duration(Math.max(0, (end - Date.parse(job.startedAt)) / 1000)) })}</span>`;
}

/**
 * @param {any} job
 * @param {() => any} reload
 */
async function stop(job, reload) {
	if (await stopJob(job)) {
		await reload();
	}
}
