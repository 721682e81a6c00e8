// Every action of every screen, and what Redis holds afterwards

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { onPage, open, useBrowser } from './console.mjs';
import { go, key, queueOf, redis, until } from './stage.mjs';

const shared = useBrowser();

const length = (queue, state) => ['pending', 'active'].includes(state) ? redis('LLEN', key(queue, state)) : redis('ZCARD', key(queue, state));
const state = (queue, id) => redis('HGET', key(queue, `t:${id}`), 'state');

/** Confirms the question that is open, with the word that it asks for. */
async function confirm(page, button, word) {
	const dialog = page.getByRole('dialog');
	const submit = dialog.getByRole('button', { name: button });
	await submit.waitFor();
	if (word) {
		await dialog.getByLabel('To go on, type').fill(word);
	}
	await submit.click();
	await dialog.waitFor({ state: 'detached' });
}

const select = (page, id) => page.getByRole('checkbox', { name: `Select ${id}`, exact: true }).check();
const bulk = (page, name) => page.locator('.bulk').getByRole('button', { name, exact: true });

test('a queue is paused, resumed and deleted', async () => {
	const queue = await queueOf(2);
	await onPage(shared, { path: `queue?q=${queue}&state=pending` }, async (page) => {
		await page.getByRole('button', { name: 'Pause' }).click();
		await confirm(page, 'Pause');
		await until('paused', () => redis('EXISTS', key(queue, 'paused')), (n) => n === 1);
		await page.getByRole('button', { name: 'Resume' }).click();
		await confirm(page, 'Resume');
		await until('resumed', () => redis('EXISTS', key(queue, 'paused')), (n) => n === 0);
		await page.getByRole('button', { name: 'Delete queue' }).click();
		await page.getByRole('dialog').getByRole('checkbox').check();
		await confirm(page, /^Delete queue/, queue);
		await until('deleted', () => redis('SISMEMBER', 'asynq:queues', queue), (n) => n === 0);
		assert.deepEqual(await redis('KEYS', key(queue, '*')), []);
	});
});

test('selected tasks are archived, run and deleted', async () => {
	const queue = await queueOf(3);
	await onPage(shared, { path: `queue?q=${queue}&state=pending` }, async (page) => {
		await select(page, 't0');
		await select(page, 't1');
		await bulk(page, 'Archive').click();
		await confirm(page, /^Archive/);
		await until('archived', () => length(queue, 'archived'), (n) => n === 2);
		await open(page, `queue?q=${queue}&state=archived`);
		await select(page, 't0');
		await bulk(page, 'Run').click();
		await until('run', () => state(queue, 't0'), (s) => s === 'pending');
		await open(page, `queue?q=${queue}&state=archived`);
		await select(page, 't1');
		await bulk(page, 'Delete').click();
		await confirm(page, /^Delete/);
		await until('deleted', () => redis('EXISTS', key(queue, 't:t1')), (n) => n === 0);
		assert.equal(await length(queue, 'pending'), 2);
	});
});

test('all that a filter finds are archived as a job, and nothing else', async () => {
	const queue = await queueOf(5, { type: 'test:keep' });
	for (let n = 0; n < 4; n++) {
		await go('enqueue', { queue, type: 'test:take', taskId: `take${n}`, payload: '' });
	}
	await onPage(shared, { path: `queue?q=${queue}&state=pending&filter=type:test:take` }, async (page) => {
		await page.locator('tbody tr').nth(3).waitFor();
		assert.equal(await page.locator('.table tbody tr').count(), 4);
		await bulk(page, 'Archive').click();
		await confirm(page, /^Archive/);
		await until('archived', () => length(queue, 'archived'), (n) => n === 4);
		assert.equal(await length(queue, 'pending'), 5);
	});
});

test('to delete more than a hundred the name of the queue has to be typed; other jobs need no word, and can be watched', () => onPage(shared,
		{ path: 'queue?q=reports&state=pending' }, async (page) => {
	const before = await length('reports', 'pending');
	await bulk(page, 'Delete').click();
	const dialog = page.getByRole('dialog');
	await dialog.getByText(String(before)).first().waitFor();
	assert.ok(await dialog.getByRole('button', { name: /^Delete/ }).isDisabled());
	await dialog.getByLabel('To go on, type').fill('report');
	assert.ok(await dialog.getByRole('button', { name: /^Delete/ }).isDisabled());
	await dialog.getByRole('button', { name: 'Keep as it is' }).click();
	await bulk(page, 'Archive').click();
	await dialog.getByText(String(before)).first().waitFor();
	assert.equal(await dialog.getByLabel('To go on, type').count(), 0);
	await confirm(page, /^Archive/);
	await until('archived', () => length('reports', 'archived'), (n) => n === before);
	await open(page, 'jobs');
	await page.getByText(`${before} done, 0 refused`).first().waitFor();
	await open(page, 'queue?q=reports&state=archived');
	await bulk(page, 'Run').click();
	await confirm(page, /^Run/);
	await until('run', () => length('reports', 'pending'), (n) => n === before);
}));

test('more tasks than were counted are refused', async () => {
	const queue = await queueOf(3);
	await onPage(shared, { path: `queue?q=${queue}&state=pending`, expected: [/409/] }, async (page) => {
		await bulk(page, 'Delete').click();
		// The count itself: the name of the queue may have a 3 as well
		await page.getByRole('dialog').getByText('3', { exact: true }).waitFor();
		for (let n = 0; n < 30; n++) {
			await go('enqueue', { queue, type: 'test:late', taskId: `late${n}`, payload: '' });
		}
		await page.getByRole('dialog').getByRole('button', { name: /^Delete/ }).click();
		await page.getByRole('dialog').getByText('There are 33 tasks').waitFor();
		assert.equal(await length(queue, 'pending'), 33);
	});
});

test('a task is archived, run and deleted on its own page', async () => {
	const queue = await queueOf(1);
	await onPage(shared, { path: `task?q=${queue}&id=t0` }, async (page) => {
		await page.getByRole('button', { name: 'Archive' }).click();
		await until('archived', () => state(queue, 't0'), (s) => s === 'archived');
		await page.getByRole('button', { name: 'Run', exact: true }).click();
		await until('run', () => state(queue, 't0'), (s) => s === 'pending');
		await page.getByRole('button', { name: 'Delete' }).click();
		await confirm(page, /^Delete/);
		await until('deleted', () => redis('EXISTS', key(queue, 't:t0')), (n) => n === 0);
	});
});

test('the payload of a scheduled task is edited, and Go reads it', async () => {
	const queue = await queueOf(1, { state: 'scheduled' });
	await onPage(shared, { path: `task?q=${queue}&id=t0` }, async (page) => {
		await page.getByRole('button', { name: 'Edit payload' }).click();
		const exact = '{"edited":"<é>","digits":[12345678901234567.89,1.10,1E400]}';
		await page.getByRole('dialog').getByLabel('Payload').fill(exact);
		await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
		await until('edited', async () => Buffer.from((await go('taskInfo', { queue, id: 't0' })).payload, 'base64').toString(),
			(text) => text === exact);
	});
});

test('a task is cloned, edited and enqueued', async () => {
	const queue = await queueOf(1);
	await onPage(shared, { path: `task?q=${queue}&id=t0` }, async (page) => {
		await page.getByRole('button', { name: 'Clone and edit' }).click();
		const dialog = page.getByRole('dialog');
		assert.equal(await dialog.getByLabel('Type').inputValue(), 'test:work');
		await dialog.getByLabel('Payload', { exact: true }).fill('{"cloned":1}');
		await dialog.getByLabel('Task id').fill('clone-1');
		await dialog.getByRole('button', { name: 'Enqueue', exact: true }).click();
		await until('enqueued', () => state(queue, 'clone-1'), (s) => s === 'pending');
		const task = await go('taskInfo', { queue, id: 'clone-1' });
		assert.equal(Buffer.from(task.payload, 'base64').toString(), '{"cloned":1}');
		assert.equal(task.type, 'test:work');
	});
});

for (const [chosen, button, label, hour] of [['UTC', /^UTC$/, 'Run at UTC', 10], ['that of the browser', /^Local/, 'Run at UTC+9', 1]]) {
	test(`times are typed in the zone that is shown: ${chosen}`, async () => {
		const queue = await queueOf(1);
		await onPage(shared, { path: `queue?q=${queue}&state=pending`, timezoneId: 'Asia/Tokyo' }, async (page) => {
			await page.getByRole('group', { name: 'Time zone' }).getByRole('button', { name: button }).click();
			await page.getByRole('button', { name: 'Enqueue a task' }).click();
			const dialog = page.getByRole('dialog');
			await dialog.getByLabel('Type').fill('test:later');
			await dialog.getByLabel('Task id').fill('later');
			await dialog.getByLabel(label, { exact: true }).fill('2096-01-02T10:00:00');
			await dialog.getByRole('button', { name: 'Enqueue', exact: true }).click();
			await until('scheduled', () => state(queue, 'later'), (s) => s === 'scheduled');
			assert.equal(Number(await redis('ZSCORE', key(queue, 'scheduled'), 'later')), Date.UTC(2096, 0, 2, hour) / 1000);
		});
	});
}

for (const [queue, id] of [['default', 'packing-2'], ['go-mail', 'held-2']]) {
	test(`a running task of ${queue} is cancelled`, () => onPage(shared, { path: `task?q=${queue}&id=${id}` }, async (page) => {
		await page.getByRole('button', { name: 'Cancel' }).click();
		const dialog = page.getByRole('dialog');
		if (await dialog.count()) {
			await dialog.getByRole('button', { name: /^Cancel/ }).click();
		}
		await until('cancelled', () => state(queue, id), (s) => s === 'retry');
	}));
}

test('a group of failures opens as a list of all its tasks, and several are acted upon in one dialog', () => onPage(shared, { path: 'failures?queue=go-mail&state=archived' }, async (page) => {
	await page.getByRole('searchbox', { name: 'Find' }).fill('550 no such user');
	const card = page.locator('.card', { has: page.getByRole('heading', { name: 'mail:reject' }) });
	await card.getByText('550 no such user').waitFor();
	await page.waitForURL(/type=550/);
	await card.getByRole('link', { name: 'All tasks' }).click();
	await page.waitForURL(/queue=go-mail.*state=archived/);
	await page.getByRole('link', { name: 'rejected-0' }).waitFor();
	assert.equal(await page.getByRole('link', { name: /^rejected-\d$/ }).count(), await redis('EXISTS', ...[0, 1, 2, 3].map((n) => key('go-mail', `t:rejected-${n}`))));
	await open(page, 'failures');
	await page.getByRole('checkbox', { name: /^Select mail:reject/ }).check();
	await page.getByRole('checkbox', { name: /^Select order:charge/ }).first().check();
	await bulk(page, 'Run').click();
	const dialog = page.getByRole('dialog');
	await dialog.getByText('mail:reject').waitFor();
	await dialog.getByText('order:charge').waitFor();
	await dialog.getByText(/tasks$/).first().waitFor();
	await dialog.getByRole('button', { name: 'Keep as it is' }).click();
}));

test('a group of failures is retried, archived and deleted', async () => {
	const rejected = async () => redis('EXISTS', ...[0, 1, 2, 3].map((n) => key('go-mail', `t:rejected-${n}`)));
	await onPage(shared, { path: 'failures?type=mail:bounce' }, async (page) => {
		await page.locator('.card').getByRole('button', { name: 'Archive' }).click();
		await confirm(page, /^Archive/);
		await until('archived', () => length('go-mail', 'archived'), (n) => n >= 16);
		await open(page, 'failures?type=mail:reject');
		assert.equal(await rejected(), 4);
		await page.locator('.card').getByRole('button', { name: 'Delete' }).click();
		await confirm(page, /^Delete/);
		await until('deleted', rejected, (n) => n === 0);
		await open(page, 'failures?type=order:charge');
		// In all, as those of a day begin at zero at midnight
		const failed = async () => Number(await redis('GET', key('default', 'failed')) || 0);
		const attempts = await failed();
		await page.locator('.card').getByRole('button', { name: 'Run', exact: true }).click();
		await confirm(page, /^Run/);
		// All of them run, and fail again
		await until('retried', failed, (n) => n >= attempts + 24);
	});
});

for (const [what, type, queue] of [['this application', 'shop:stock', 'low'], ['Go', 'mail:digest', 'go-mail']]) {
	test(`a periodic task of ${what} is run now`, () => onPage(shared, { path: 'periodic' }, async (page) => {
		const processed = async () => Number(await redis('GET', key(queue, 'processed')) || 0)
			+ await length(queue, 'pending') + await length(queue, 'retry');
		const before = await processed();
		await page.locator('.card', { has: page.getByRole('heading', { name: type }) }).getByRole('button', { name: 'Run now' }).first().click();
		await confirm(page, 'Run now');
		await page.getByText('Enqueued.').first().waitFor();
		await until('enqueued', processed, (n) => n > before);
	}));
}

test('what a periodic task has enqueued is listed', () => onPage(shared, { path: 'periodic' }, async (page) => {
	const card = page.locator('.card', { has: page.getByRole('heading', { name: 'mail:tick' }) });
	await card.getByRole('button', { name: 'Fires and history' }).click();
	await card.locator('a[href^="task"]').first().waitFor();
}));

test('the server of this application is made quiet and takes tasks again', () => onPage(shared, { path: 'servers' }, async (page) => {
	const own = page.locator('.server', { hasText: 'this application' });
	await own.getByRole('button', { name: 'Quiet' }).click();
	await confirm(page, 'Quiet');
	const resume = own.getByRole('button', { name: 'Resume' });
	await resume.waitFor();
	await go('enqueue', { queue: 'default', type: 'mail:send', taskId: 'while-quiet', payload: Buffer.from('{"number":1}').toString('base64'), retentionMs: 3600000 });
	assert.equal(await state('default', 'while-quiet'), 'pending');
	await resume.click();
	await confirm(page, 'Resume');
	await until('done', () => state('default', 'while-quiet'), (s) => s === 'completed');
}));

test('what is wrong is found, tried and repaired', () => onPage(shared, { path: 'doctor?q=broken' }, async (page) => {
	await page.getByRole('button', { name: 'Examine' }).click();
	await page.getByText('things are wrong').waitFor();
	await page.getByRole('button', { name: 'Dry run' }).click();
	await page.getByText('2 would be repaired').waitFor();
	assert.equal(await length('broken', 'pending'), 2);
	await page.getByRole('button', { name: 'Repair', exact: true }).click();
	await confirm(page, 'Repair', 'broken');
	await until('repaired', () => length('broken', 'pending'), (n) => n === 0);
	await page.getByText('Nothing is wrong.').waitFor();
	await redis('LPUSH', key('broken', 'pending'), 'an-id-without-a-task', 'another-one');
}));

test('a request that no page of the console has made changes nothing', async () => {
	const queue = await queueOf(1);
	const url = `${process.env.CONSOLE_HOST}/asynq/api/v1/queue/pause`;
	const json = { 'Content-Type': 'application/json' };
	for (const headers of [json, { 'X-Asynq-Console': '1', 'Content-Type': 'text/plain' }, { ...json, 'X-Asynq-Console': '1', 'Sec-Fetch-Site': 'cross-site' }]) {
		const answer = await fetch(url, { method: 'POST', headers, body: JSON.stringify({ q: queue }) });
		assert.ok([403, 415].includes(answer.status), `${JSON.stringify(headers)}: ${answer.status}`);
	}
	assert.equal(await redis('EXISTS', key(queue, 'paused')), 0);
});
