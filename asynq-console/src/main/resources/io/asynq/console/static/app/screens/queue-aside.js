import { actOnGroups } from '../failure-actions.js';
import { may } from '../config.js';
import { useData } from '../data.js';
import { number, shorten } from '../format.js';
import { html, useEffect, useState } from '../lib.js';
import { JobProgress } from '../parts/job.js';
import { AsOf, Await, Button, Empty, Icon, Panel, Spark, visible } from '../parts/ui.js';
import { href } from '../router.js';
import { t } from '../text.js';
import { Ago } from '../time.js';

/**
 * What stands beside the list of a queue.
 * @param {{q: string, data: any, live: any, written: number, reload: () => any}} props
 */
export function QueueAside({ q, data, live, written, reload }) {
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
