import { get } from '../api.js';
import { may } from '../config.js';
import { t } from '../format.js';
import { html, useEffect, useState } from '../lib.js';
import { liveOverview } from '../live.js';
import { openEnqueue } from '../parts/enqueue.js';
import { QueueTable } from '../parts/queuetable.js';
import { AsOf, Button, Empty, Failed, Panel, Screen, Skeleton } from '../parts/ui.js';
import { setParams } from '../router.js';
import { useKeys } from '../shortcuts.js';
import { useStore } from '../store.js';

/** @param {{params: Record<string, string>}} props */
export default function Queues({ params }) {
	const live = useStore(liveOverview);
	const [pages, setPages] = useState(/** @type {any} */ (null));
	const [error, setError] = useState(/** @type {any} */ (null));
	/** @param {string | null} [cursor] */
	async function read(cursor) {
		try {
			const page = await get('queues', { cursor });
			setPages((old) => ({ ...page, entries: cursor && old ? [...old.entries, ...page.entries] : page.entries }));
			setError(null);
		}
		catch (e) {
			setError(e);
		}
	}
	useEffect(() => {
		read();
	}, []);
	useKeys({ r: () => read(), '/': () => /** @type {HTMLElement} */ (document.getElementById('queue-filter')).focus() });
	const fresh = new Map(((live && live.queues) || []).map((line) => [line.queue, line]));
	const lines = ((pages && pages.entries) || []).map((line) => ({ ...line, ...(fresh.get(line.queue) || {}) }));
	const find = (params.find || '').toLowerCase();
	const shown = find ? lines.filter((line) => line.queue.toLowerCase().includes(find)) : lines;
	const total = live ? live.queueCount : lines.length;
	return html`<${Screen} title=${t('screen.queues')}
		sub=${html`<${AsOf} at=${(live || pages || {}).asOf}
		note=${pages && t('queues.shown', { shown: shown.length, total: Math.max(total, lines.length) })} />`}
		actions=${may('act') && html`<${Button} onClick=${() => openEnqueue({})}>${t('queues.enqueue')}<//>`}>
		<${Panel} flush title=${html`<input id="queue-filter" class="input find" type="search" placeholder=${t('queues.filter')}
			aria-label=${t('queues.filter')} value=${params.find || ''}
			onInput=${(e) => setParams({ find: e.target.value }, { replace: true })} />`}
				aside=${html`<${Button} small onClick=${() => read()}>${t('common.refresh')}<//>`}>
			${error && !pages ? html`<${Failed} error=${error} retry=${() => read()} />` : !pages ? html`<${Skeleton} lines=${10} />`
		: html`<${QueueTable} groups lines=${shown}
			empty=${find ? html`<${Empty} title=${t('queues.none')}>${t('queues.noneHint')}<//>`
			: html`<${Empty} title=${t('overview.noQueues')}>${t('overview.noQueuesHint')}<//>`} />
			${pages.next && html`<p class="pad"><${Button} onClick=${() => read(pages.next)}>${t('queues.next')}<//></p>`}`}
		<//>
	<//>`;
}
