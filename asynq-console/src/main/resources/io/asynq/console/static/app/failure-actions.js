import { startJob } from './actions.js';
import { html } from './lib.js';
import { visible } from './parts/ui.js';
import { t } from './text.js';

/** The states that an action can take failed tasks from. */
const STATES = { run: ['retry', 'archived'], archive: ['retry'], delete: ['retry', 'archived'] };

/**
 * Retries, archives or deletes all tasks of a group of failures, as a background job.
 * @param {'run' | 'archive' | 'delete'} action
 * @param {any} group as `failures` lists it
 * @param {string | null} q the queue, `null` for all
 */
export function actOnGroup(action, group, q) {
	const text = html`${t(`failures.${action}Text`)} <code class="wrap">${visible(group.type)}</code> <code class="wrap">
		${visible(group.signature || '')}</code>`;
	return startJob(action, { q, states: STATES[action], failureKey: group.key }, text);
}
