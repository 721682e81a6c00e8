// With asynq.console.require-reason nothing is changed before somebody has said why, and the audit log has it

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { ask, onPage, open, useBrowser } from './console.mjs';
import { go, key, queueOf, redis, until } from './stage.mjs';

const shared = useBrowser();

/** The log may be that of earlier runs too. */
const RUN = Date.now().toString(36);

/** Gives the reason that an open question or form wants, and nothing less. */
async function submit(page, button, reason, word) {
	const dialog = page.getByRole('dialog');
	const why = dialog.getByLabel('Reason (is written to the audit log)');
	const yes = dialog.getByRole('button', { name: button });
	await why.waitFor();
	if (word) {
		await dialog.getByLabel('To go on, type').fill(word);
	}
	assert.ok(await yes.isDisabled() || await why.evaluate((field) => !field.validity.valid), 'goes on without a reason');
	await why.fill(`${reason} (${RUN})`);
	await yes.click();
	await dialog.waitFor({ state: 'detached' });
}

/** Waits for the line of the log that says who has done what and why. */
const audited = (what, reason) => until(`audit of ${what}`, async () => (await readFile(process.env.LOG, 'utf8')).split('\n'),
	(lines) => lines.some((line) => line.includes(`${what} by `) && !line.includes('refused') && line.includes(`reason=${reason} (${RUN})`)));

const bulk = (page, name) => page.locator('.bulk').getByRole('button', { name, exact: true });

test('a queue is paused, resumed and deleted for a reason', async () => {
	const queue = await queueOf(1);
	await onPage(shared, { path: `queue?q=${queue}&state=pending` }, async (page) => {
		await page.getByRole('button', { name: 'Pause' }).click();
		await submit(page, 'Pause', 'to look at it');
		await audited('queue/pause', 'to look at it');
		assert.equal(await redis('EXISTS', key(queue, 'paused')), 1);
		await page.getByRole('button', { name: 'Resume' }).click();
		await submit(page, 'Resume', 'seen');
		await audited('queue/resume', 'seen');
		await page.getByRole('button', { name: 'Delete queue' }).click();
		await page.getByRole('dialog').getByRole('checkbox').check();
		await submit(page, /^Delete queue/, 'of a test', queue);
		await audited('queue/delete', 'of a test');
		assert.equal(await redis('SISMEMBER', 'asynq:queues', queue), 0);
	});
});

test('one task is asked for as well, though nothing would be lost', async () => {
	const queue = await queueOf(2);
	await onPage(shared, { path: `queue?q=${queue}&state=pending` }, async (page) => {
		await page.getByRole('checkbox', { name: 'Select t0', exact: true }).check();
		await bulk(page, 'Archive').click();
		await submit(page, /^Archive/, 'not today');
		await audited('tasks/archive', 'not today');
		await open(page, `task?q=${queue}&id=t0`);
		await page.getByRole('button', { name: 'Run', exact: true }).click();
		await submit(page, /^Run/, 'today');
		await audited('tasks/run', 'today');
		assert.equal(await redis('LLEN', key(queue, 'pending')), 2);
	});
});

test('a task is enqueued, and the payload of another edited, for a reason', async () => {
	const queue = await queueOf(1, { state: 'scheduled' });
	await onPage(shared, { path: `task?q=${queue}&id=t0` }, async (page) => {
		await page.getByRole('button', { name: 'Clone and edit' }).click();
		await page.getByRole('dialog').getByLabel('Task id').fill('again');
		await submit(page, 'Enqueue', 'it was lost');
		await audited('task/enqueue', 'it was lost');
		await open(page, `task?q=${queue}&id=t0`);
		await page.getByRole('button', { name: 'Edit payload' }).click();
		await page.getByRole('dialog').getByLabel('Payload').fill('{"edited":1}');
		await submit(page, 'Save', 'a typo');
		await audited('task/update-payload', 'a typo');
		const { payload } = await go('taskInfo', { queue, id: 't0' });
		assert.equal(Buffer.from(payload, 'base64').toString(), '{"edited":1}');
	});
});

test('a job is started and stopped for a reason', async () => {
	const queue = await queueOf(3);
	await onPage(shared, { path: `queue?q=${queue}&state=pending` }, async (page) => {
		await bulk(page, 'Archive').click();
		await submit(page, /^Archive/, 'all of them');
		await audited('jobs/start', 'all of them');
		await until('archived', () => redis('ZCARD', key(queue, 'archived')), (n) => n === 3);
		// No job lasts until a slow browser has found its button: this one is shown as if it still ran
		const { jobs, ...rest } = await (await ask('api/v1/jobs')).json();
		const running = { ...rest, jobs: jobs.map((job) => ({ ...job, state: 'running' })) };
		await page.route('**/api/v1/jobs', (route) => route.fulfill({ json: running }));
		await open(page, 'jobs');
		await page.getByText('all of them').waitFor();
		await page.getByRole('button', { name: 'Stop', exact: true }).click();
		await submit(page, 'Stop', 'enough');
		await audited('jobs/stop', 'enough');
		await page.unrouteAll({ behavior: 'ignoreErrors' });
	});
});

test('a repair is tried without a reason, and made for one', async () => {
	const queue = await queueOf(1);
	await redis('LPUSH', key(queue, 'pending'), 'an-id-without-a-task');
	await onPage(shared, { path: `doctor?q=${queue}` }, async (page) => {
		await page.getByRole('button', { name: 'Examine' }).click();
		await page.getByRole('button', { name: 'Dry run' }).click();
		await page.getByText('One would be repaired').waitFor();
		assert.equal(await redis('LLEN', key(queue, 'pending')), 2);
		await page.getByRole('button', { name: 'Repair', exact: true }).click();
		await submit(page, 'Repair', 'found it', queue);
		await audited('repair', 'found it');
		assert.equal(await redis('LLEN', key(queue, 'pending')), 1);
	});
});

test('a periodic task is run, and a server made quiet, for a reason', () => onPage(shared, { path: 'periodic' }, async (page) => {
	await page.locator('.card', { has: page.getByRole('heading', { name: 'shop:stock' }) }).getByRole('button', { name: 'Run now' }).first().click();
	await submit(page, 'Run now', 'too late');
	await audited('scheduler/run', 'too late');
	await open(page, 'servers');
	const own = page.locator('.server', { hasText: 'this application' });
	await own.getByRole('button', { name: 'Quiet' }).click();
	await submit(page, 'Quiet', 'to look at its memory');
	await audited('server/quiet', 'to look at its memory');
	await own.getByRole('button', { name: 'Resume' }).click();
	await submit(page, 'Resume', 'has enough');
	await audited('server/resume', 'has enough');
}));

test('the server of another application is asked to take no more tasks, and to take them again', () => onPage(shared, { path: 'servers' }, async (page) => {
	const other = page.locator('.server', { hasText: 'Java', hasNotText: 'this application' });
	await other.getByRole('button', { name: 'Quiet' }).click();
	await submit(page, 'Quiet', 'the other one');
	await audited('server/quiet', 'the other one');
	await other.getByRole('button', { name: 'Resume' }).click();
	await submit(page, 'Resume', 'again');
	await audited('server/resume', 'again');
	await other.getByRole('button', { name: 'Quiet' }).waitFor();
}));
