import { startJob } from './actions.js';
import { html } from './lib.js';
import { visible } from './parts/ui.js';
import { t } from './text.js';

/** The states that an action can take failed tasks from. */
const STATES = { run: ['retry', 'archived'], archive: ['retry'], delete: ['retry', 'archived'] };

/**
 * Retries, archives or deletes all tasks of groups of failures, as one background job.
 * @param {'run' | 'archive' | 'delete'} action
 * @param {{type: string, signature: string}[]} groups
 * @param {{queue?: string, state?: string}} within only in this queue and state, if they are given
 */
export function actOnGroups(action, groups, { queue, state }) {
	const scope = { q: queue || null, states: STATES[action].filter((one) => !state || one === state),
		failures: groups.map((group) => ({ type: group.type, error: group.signature })) };
	return startJob(action, scope, t(`failures.${action}Text`), html`<ul class="plain">${groups.map((group) => html`<li
		key=${`${group.type} ${group.signature}`}><code class="wrap">${visible(group.type)}</code> <code class="wrap">${
		visible(group.signature || '')}</code></li>`)}</ul>`);
}
