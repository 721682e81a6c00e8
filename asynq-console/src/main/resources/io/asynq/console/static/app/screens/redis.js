import { useData } from '../data.js';
import { Ago, bytes, duration, hasText, number, percent, t } from '../format.js';
import { html } from '../lib.js';
import { AsOf, Await, Badge, Bar, Button, Facts, Panel, QueueLink, Screen, visible } from '../parts/ui.js';
import { Table } from '../parts/table.js';
import { useKeys } from '../shortcuts.js';

const EVERY = 10_000;

/** @type {Record<string, string>} */
const KINDS = { error: 'bad', warning: 'warn', info: 'info' };

/** What Redis says of itself, and what is dangerous about it. */
export default function Redis() {
	const loaded = useData('redis', {}, { every: EVERY });
	useKeys({ r: loaded.reload });
	return html`<${Screen} title=${t('screen.redis')} sub=${loaded.data && html`<${AsOf} at=${loaded.data.asOf} />`}
		actions=${html`<${Button} onClick=${loaded.reload}>${t('common.refresh')}<//>`}>
		<${Await} of=${loaded} lines=${10}>${(/** @type {any} */ data) => html`
			<${Findings} findings=${data.preflight || []} at=${data.checkedAt} />
			<div class="cols-three"><${Memory} data=${data} /><${Persistence} data=${data} /><${Load} data=${data} /></div>
			${data.slots && html`<${Slots} slots=${data.slots} />`}
			<${Everything} sections=${data.sections || {}} />`}<//>
	<//>`;
}

/** @param {{findings: any[], at?: string}} props */
function Findings({ findings, at }) {
	return html`<${Panel} title=${t('redis.preflight')}
		aside=${html`<span class="row">${at && html`<span class="muted"><${Ago} value=${at} /></span>`}
		${findings.length === 0 ? html`<${Badge} kind="ok">${t('redis.fine')}<//>`
		: html`<${Badge} kind="warn">${t('redis.findings', { n: findings.length })}<//>`}</span>`}>
		${findings.length === 0 ? html`<p class="muted">${t('redis.fineHint')}</p>`
			: html`<ul class="plain findings">${findings.map((one, i) => html`<li key=${i}>
			<${Badge} kind=${KINDS[one.severity] || 'warn'}>
				${hasText('redis.severity.' + one.severity) ? t('redis.severity.' + one.severity) : visible(one.severity)}<//>
			<span>${visible(one.text)}</span></li>`)}</ul>`}
	<//>`;
}

/**
 * The value of a field of INFO, wherever it stands.
 * @param {any} data
 * @param {string} name
 * @returns {string | undefined}
 */
function info(data, name) {
	for (const section of Object.values(data.sections || {})) {
		const value = /** @type {any} */ (section)[name];
		if (value !== undefined) {
			return String(value);
		}
	}
	return undefined;
}

/**
 * @param {any} data
 * @param {string} name
 */
function numeric(data, name) {
	const value = info(data, name);
	return value === undefined || value === '' || Number.isNaN(Number(value)) ? null : Number(value);
}

/** @param {{data: any}} props */
function Memory({ data }) {
	const used = numeric(data, 'used_memory') || 0;
	const max = numeric(data, 'maxmemory') || 0;
	return html`<${Panel} title=${t('redis.memory')}>
		<p><strong class="big-number">${bytes(used)}</strong> <span class="muted">
			${max ? t('redis.ofMax', { max: bytes(max), share: percent(used, max) }) : t('redis.noMax')}</span></p>
		${max > 0 && html`<${Bar} label=${t('redis.ofMax', { max: bytes(max), share: percent(used, max) })} total=${max}
			parts=${[{ key: 'used', value: Math.min(used, max), class: used > max * 0.9 ? 'c-archived' : 'c-active',
			title: t('redis.used') }]} />`}
		<${Facts} rows=${[
		[t('redis.policy'), html`<code>${policyOf(data) || '–'}
			</code> ${policyOf(data) && policyOf(data) !== 'noeviction' && html`<${Badge} kind="bad" title=${t('redis.policyHint')}>
			${t('redis.evicts')}<//>`}`],
		[t('redis.peak'), bytes(numeric(data, 'used_memory_peak'))],
		[t('redis.rss'), bytes(numeric(data, 'used_memory_rss'))],
		[t('redis.fragmentation'), info(data, 'mem_fragmentation_ratio') || '–'],
		numeric(data, 'evicted_keys') !== null && [t('redis.evicted'), number(numeric(data, 'evicted_keys'))],
	]} />
	<//>`;
}

/** @param {any} data */
function policyOf(data) {
	return data.policy || info(data, 'maxmemory_policy');
}

/** @param {{data: any}} props */
function Persistence({ data }) {
	const aof = info(data, 'aof_enabled') === '1';
	const saved = numeric(data, 'rdb_last_save_time');
	const bad = [info(data, 'rdb_last_bgsave_status'), info(data, 'aof_last_write_status'),
		info(data, 'aof_last_bgrewrite_status')].some((one) => one && one !== 'ok');
	return html`<${Panel} title=${t('redis.persistence')} aside=${bad && html`<${Badge} kind="bad">${t('redis.writeFails')}<//>`}>
		<${Facts} rows=${[
		[t('redis.aof'), aof ? html`<${Badge} kind="ok">${t('redis.on')}<//>`
			: html`<${Badge} kind="warn" title=${t('redis.aofHint')}>${t('redis.off')}<//>`],
		[t('redis.lastSave'), saved ? html`<${Ago} value=${new Date(saved * 1000).toISOString()} />` : '–'],
		[t('redis.changes'), number(numeric(data, 'rdb_changes_since_last_save'))],
		[t('redis.rdbStatus'), info(data, 'rdb_last_bgsave_status') || '–'],
		aof && [t('redis.aofStatus'), info(data, 'aof_last_write_status') || '–'],
	]} />
	<//>`;
}

/** @param {{data: any}} props */
function Load({ data }) {
	const uptime = numeric(data, 'uptime_in_seconds');
	return html`<${Panel} title=${t('redis.load')}>
		<${Facts} rows=${[
		[t('redis.version'), info(data, 'redis_version') || '–'],
		[t('redis.mode'), info(data, 'redis_mode') || '–'],
		[t('redis.role'), info(data, 'role') || '–'],
		[t('redis.uptime'), uptime === null ? '–' : duration(uptime)],
		[t('redis.clients'), number(numeric(data, 'connected_clients'))],
		[t('redis.ops'), number(numeric(data, 'instantaneous_ops_per_sec'))],
		[t('redis.replicas'), number(numeric(data, 'connected_slaves'))],
		[t('redis.commands'), number(numeric(data, 'total_commands_processed'))],
	]} />
	<//>`;
}

/**
 * Where each queue lies in a cluster.
 * @param {{slots: any[]}} props
 */
function Slots({ slots }) {
	return html`<${Panel} title=${t('redis.slots')} flush>
		<${Table} label=${t('redis.slots')} rows=${slots} keyOf=${(/** @type {any} */ row) => row.queue} keys=${false} columns=${[
		{ key: 'queue', title: t('servers.queue'), class: 'wide', draw: (/** @type {any} */ row) => html`<${QueueLink} q=${row.queue} />` },
		{ key: 'slot', title: t('redis.slot'), class: 'num', draw: (/** @type {any} */ row) => row.slot },
		{ key: 'nodes', title: t('redis.nodes'), draw: (/** @type {any} */ row) => html`<span class="mono wrap">
			${(row.nodes || []).map((/** @type {any} */ node) => (typeof node === 'string' ? node
			: node.address || `${node.host}:${node.port}`)).join(', ')}</span>` },
	]} /><//>`;
}

/** @param {{sections: Record<string, Record<string, string>>}} props */
function Everything({ sections }) {
	return html`<${Panel} title=${t('redis.info')}>
		${Object.entries(sections).map(([name, fields]) => html`<details key=${name} class="info-section">
		<summary>${hasText('redis.section.' + name.toLowerCase()) ? t('redis.section.' + name.toLowerCase()) : visible(name)} <span
			class="muted">${number(Object.keys(fields).length)}</span></summary>
		<dl class="facts facts-wide mono">${Object.entries(fields)
			.map(([field, value]) => html`<div key=${field}><dt>${field}</dt><dd class="wrap">${visible(String(value))}</dd></div>`)}</dl>
	</details>`)}<//>`;
}
