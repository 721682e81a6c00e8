import { Problem, post } from './api.js';
import { config } from './config.js';
import { shorten, t } from './format.js';
import { html } from './lib.js';
import { confirm } from './parts/dialog.js';
import { toast, visible } from './parts/ui.js';
import { href } from './router.js';
import { store } from './store.js';

/** Counts up with each write, so that lists know that they are old. */
export const writes = store(0);

/**
 * Does a write and says how it went. Nothing is thrown: an operator reads it, and a form keeps what it holds.
 * @param {() => Promise<any>} write
 * @param {(answer: any) => string | null} said
 * @returns {Promise<any>} the answer, or `undefined` if it was refused
 */
export async function perform(write, said) {
	try {
		const answer = await write();
		const text = said(answer);
		if (text) {
			toast(text);
		}
		writes.update((n) => n + 1);
		return answer === null ? {} : answer;
	}
	catch (e) {
		toast(e instanceof Problem ? e.message : String(e), { kind: 'bad' });
		return undefined;
	}
}

/**
 * Says what a report holds: how many were done, and the first that were not.
 * @param {string} action
 * @param {any} report
 */
export function said(action, report) {
	const failed = (report && report.failed) || [];
	if (failed.length > 0) {
		toast(t('actions.failedSome', { n: failed.length, id: shorten(failed[0].id, 80), error: failed[0].error }), { kind: 'bad' });
	}
	return report && report.done > 0 ? t(`actions.${action}Done`, { n: report.done }) : null;
}

/**
 * Runs, archives, deletes or cancels tasks by their ids, after a question where something would be lost.
 * @param {'run' | 'archive' | 'delete' | 'cancel'} action
 * @param {{q: string, state: string, group?: string | null, ids: string[]}} target
 * @returns {Promise<boolean>} whether it was done
 */
export async function actOnIds(action, target) {
	/** @type {any} */
	let answer = { options: {} };
	if (action === 'delete' || target.ids.length > 1 || config.requireReason) {
		answer = await confirm({
			title: t(`actions.${action}Title`, { n: target.ids.length }), text: t(`actions.${action}Text`), button: t(`actions.${action}`),
			danger: action === 'delete', q: target.q, count: target.ids.length, options: optionsOf(action),
		});
	}
	if (!answer) {
		return false;
	}
	const done = await perform(() => post(`tasks/${action}`, clean({ q: target.q, state: target.state, group: target.group, ids: target.ids,
		freshRetries: answer.options.freshRetries, reason: answer.reason })), (report) => said(action, report));
	return done !== undefined;
}

/**
 * Starts a background job over all that a filter, groups of failures or a state hold. It counts first.
 * @param {'run' | 'archive' | 'delete' | 'cancel'} action
 * @param {{q: string | null, state?: string, states?: string[], group?: string | null, filter?: string, failures?: object[],
 * all?: boolean}} scope
 * @param {any} [text] what the scope is, in words
 * @param {any} [detail] what it consists of
 * @returns {Promise<any>} the job, or `undefined`
 */
export async function startJob(action, scope, text, detail) {
	const preview = clean({ ...scope, all: undefined });
	let refused = '';
	for (;;) {
		const answer = await confirm({
			title: t(`actions.${action}AllTitle`), text: text || t(`actions.${action}Text`), button: t(`actions.${action}`),
			danger: action === 'delete', detail,
			q: scope.q, preview, options: optionsOf(action), refused,
		});
		if (!answer) {
			return undefined;
		}
		try {
			const started = await post('jobs/start', clean({ action, ...scope, expectedCount: answer.expectedCount, confirm: answer.confirm,
				freshRetries: answer.options.freshRetries, reason: answer.reason }));
			writes.update((n) => n + 1);
			toast(t('actions.jobStarted'), { link: { href: href('jobs', { id: started.job.id }), text: t('actions.jobOpen') } });
			return started.job;
		}
		catch (e) {
			if (!(e instanceof Problem) || e.status !== 409) {
				toast(e instanceof Problem ? e.message : String(e), { kind: 'bad' });
				return undefined;
			}
			// Somebody else was at it: the question is asked again, with a fresh count
			refused = e.message;
		}
	}
}

/**
 * Stops a background job; asks for a reason if the application wants one.
 * @param {any} job
 * @returns {Promise<any>} `undefined` if it goes on
 */
export async function stopJob(job) {
	/** @type {any} */
	const answer = config.requireReason ? await confirm({ title: t('job.stopTitle'), button: t('job.stop') }) : { options: {} };
	return answer && perform(() => post('jobs/stop', clean({ id: job.id, reason: answer.reason })), () => t('job.stopping'));
}

/** @param {string} action */
function optionsOf(action) {
	return action === 'run' ? [{ name: 'freshRetries', text: t('actions.freshRetries'), hint: t('actions.freshRetriesHint') }] : [];
}

/**
 * A body without what is not set.
 * @param {Record<string, any>} body
 * @param {string[]} [keep] names whose values may be empty
 */
export function clean(body, keep = []) {
	return Object.fromEntries(Object.entries(body).filter(([name, value]) => (value !== undefined && value !== null && value !== '')
		|| keep.includes(name)));
}

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
