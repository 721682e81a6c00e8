// What waits for a limit has not failed, and today's numbers stand beside those of all days as they were read

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { onPage, open, useBrowser } from './console.mjs';
import { key, queueOf, redis } from './stage.mjs';

const shared = useBrowser();

/** A queue with tasks in retry, some of which wait for a limit. */
async function limitedQueue(count, waiting) {
	const queue = await queueOf(count, { state: 'scheduled' });
	const due = Math.floor(Date.now() / 1000) + 600;
	for (let n = 0; n < count; n++) {
		await redis('ZREM', key(queue, 'scheduled'), `t${n}`);
		await redis('ZADD', key(queue, 'retry'), due, `t${n}`);
		await redis('HSET', key(queue, `t:t${n}`), 'state', 'retry');
		if (n < waiting) {
			await redis('HSET', key(queue, `t:t${n}`), 'x-waits', `${due}\npdf`);
			await redis('ZADD', `asynqj:{${queue}}:waiting:pdf`, n, `t${n}`);
			await redis('ZADD', `asynqj:{${queue}}:waiting`, 0, 'pdf');
		}
	}
	return queue;
}

test('tasks that wait for a limit stand apart from retries, without a time at which they would be retried', async () => {
	const queue = await limitedQueue(3, 2);
	await onPage(shared, { path: `queue?q=${queue}&state=retry` }, async (page) => {
		await page.locator('.tabs').getByText('1 + 2 waiting for limit').waitFor();
		const row = (id) => page.locator('.table tbody tr', { hasText: id }).textContent();
		assert.match(await row('t0'), /waiting for limit\s*pdf/);
		assert.doesNotMatch(await row('t0'), /in \d/);
		assert.match(await row('t2'), /in \d/);
		await page.getByText('No retry is due within 30 minutes.').waitFor({ state: 'detached' });
		await open(page, `task?q=${queue}&id=t1`);
		assert.match(await page.locator('.screen-sub').textContent(), /waiting for limit pdf/);
		assert.equal(await page.getByText('Due', { exact: true }).count(), 0);
		await open(page, 'queues');
		assert.match(await page.locator('.table tbody tr', { hasText: queue }).textContent(), /1\s*\+\s*2 waiting for limit/);
	});
});

for (const [mode, init] of Object.entries({ live: undefined, polling: () => delete window.EventSource })) {
	test(`today is never more than all days: ${mode}`, async () => {
		const queue = await queueOf(1);
		const counters = [key(queue, 'processed'), key(queue, `processed:${new Date().toISOString().slice(0, 10)}`)];
		for (const counter of counters) {
			await redis('SET', counter, 600);
		}
		await onPage(shared, { path: `queue?q=${queue}`, init }, async (page) => {
			const figure = (label) => page.locator('.figure', { hasText: label }).locator('.figure-value');
			await figure('Today').getByText('600').waitFor();
			for (const counter of counters) {
				await redis('SET', counter, 700);
			}
			await figure('Today').getByText('700').waitFor();
			assert.equal(await figure('All time').textContent(), '700');
		});
	});
}
