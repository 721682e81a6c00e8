// Spring Security decides who may look and who may act; the console only shows what it has decided

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LOOKS, SCREENS, base, host, onPage, open, picture, settled, useBrowser } from './console.mjs';
import { key, queueOf, redis, until } from './stage.mjs';

const shared = useBrowser();

/** Names of buttons that would change something. */
const WRITES = /^(run|retry(?!,)|archive|delete|cancel|pause|resume|enqueue|edit|clone|repair|quiet|stop)\b/i;

/** Signs somebody in where the application asks for it, and gives the session. */
async function session(name, look = {}) {
	const context = await shared.browser.newContext({ ...LOOKS.light, ...look });
	const page = await context.newPage();
	await page.goto(`${base}/queues`);
	await signIn(page, name);
	await page.close();
	return context;
}

async function signIn(page, name) {
	await page.locator('input[name=username]').fill(name);
	await page.locator('input[name=password]').fill(name);
	await page.locator('button[type=submit]').click();
	await page.waitForURL((url) => !url.pathname.endsWith('/login'));
}

/** A write as the console makes it, but whatever its buttons are. */
function write(page, path, body) {
	return page.evaluate(async ([path, body]) => {
		const { csrf } = JSON.parse(document.getElementById('config').textContent);
		const response = await fetch(`api/v1/${path}`, { method: 'POST', redirect: 'manual', body: JSON.stringify(body),
			headers: { 'Content-Type': 'application/json', 'X-Asynq-Console': '1', ...(csrf && csrf.token ? { [csrf.header]: csrf.token } : {}) } });
		return response.status;
	}, [path, body]);
}

test('who is not signed in is asked to, and comes back to where they were going', async () => {
	const context = await shared.browser.newContext(LOOKS.light);
	try {
		const page = await context.newPage();
		await page.goto(`${base}/queue?q=go-mail&state=retry`);
		assert.match(page.url(), /\/login/);
		assert.ok(page.url().startsWith(host), page.url());
		await signIn(page, 'viewer');
		await settled(page);
		assert.match(page.url(), /\/asynq\/queue\?q=go-mail&state=retry/);
	}
	finally {
		await context.close();
	}
	const answer = await fetch(`${base}/api/v1/overview`, { redirect: 'manual', headers: { Accept: 'application/json' } });
	assert.ok([302, 401, 403].includes(answer.status), String(answer.status));
});

test('a viewer sees everything and no button that changes anything', async () => {
	const context = await session('viewer');
	for (const [name, path] of SCREENS) {
		await onPage(shared, { session: context, path }, async (page) => {
			await page.locator('main').getByText(/\w/).first().waitFor();
			const names = await page.getByRole('button').allInnerTexts();
			assert.deepEqual(names.filter((text) => WRITES.test(text.trim())), [], name);
			assert.equal(await page.locator('main .table input[type=checkbox]').count(), 0, name);
		});
	}
	const queue = await queueOf(1);
	await onPage(shared, { session: context, path: `queue?q=${queue}&state=pending`, expected: [/403/] }, async (page) => {
		for (const [path, body] of [['queue/pause', { q: queue }], ['tasks/delete', { q: queue, state: 'pending', ids: ['t0'] }],
			['queue/delete', { q: queue, force: true, expectedCount: 1, confirm: queue }],
			['jobs/start', { action: 'delete', q: queue, states: ['pending'], all: true, expectedCount: 1, confirm: queue }],
			['task/enqueue', { q: queue, type: 'a', payload: '', encoding: 'utf8' }], ['repair', { q: queue, apply: true }]]) {
			assert.equal(await write(page, path, body), 403, path);
		}
		assert.equal(await redis('EXISTS', key(queue, 'paused')), 0);
		assert.equal(await redis('LLEN', key(queue, 'pending')), 1);
	});
	await context.close();
});

test('an operator acts on tasks but deletes no queue', async () => {
	const context = await session('operator');
	const queue = await queueOf(1);
	await onPage(shared, { session: context, path: `queue?q=${queue}&state=pending`, expected: [/403/] }, async (page) => {
		await page.getByRole('button', { name: 'Pause' }).click();
		await page.getByRole('dialog').getByRole('button', { name: 'Pause' }).click();
		await until('paused', () => redis('EXISTS', key(queue, 'paused')), (n) => n === 1);
		assert.equal(await page.getByRole('button', { name: 'Delete queue' }).count(), 0);
		assert.equal(await write(page, 'queue/delete', { q: queue, force: true, expectedCount: 1, confirm: queue }), 403);
		assert.equal(await redis('SISMEMBER', 'asynq:queues', queue), 1);
	});
	await context.close();
});

test('an administrator deletes a queue', async () => {
	const context = await session('admin');
	const queue = await queueOf(1);
	await onPage(shared, { session: context, path: `queue?q=${queue}&state=pending` }, async (page) => {
		await page.getByRole('button', { name: 'Delete queue' }).click();
		const dialog = page.getByRole('dialog');
		await dialog.getByRole('checkbox').check();
		await dialog.getByLabel('To go on, type').fill(queue);
		await dialog.getByRole('button', { name: /^Delete queue/ }).click();
		await until('deleted', () => redis('SISMEMBER', 'asynq:queues', queue), (n) => n === 0);
	});
	await context.close();
});

test('who has none of the authorities sees nothing', async () => {
	const context = await shared.browser.newContext(LOOKS.light);
	const page = await context.newPage();
	await page.goto(`${base}/queues`);
	await signIn(page, 'stranger');
	assert.equal((await page.goto(`${base}/queues`)).status(), 403);
	assert.equal((await page.goto(`${base}/api/v1/overview`)).status(), 403);
	await context.close();
});

test('a session that has ended loses nothing that was typed', async () => {
	const context = await session('operator');
	const queue = await queueOf(1);
	await onPage(shared, { session: context, path: `queue?q=${queue}&state=pending`, expected: [/40[13]|302|ERR_|Failed to load|MIME/] }, async (page) => {
		await page.getByRole('button', { name: 'Enqueue a task' }).click();
		const dialog = page.getByRole('dialog');
		await dialog.getByLabel('Type').fill('typed:before');
		await dialog.getByLabel('Payload', { exact: true }).fill('{"kept":true}');
		await context.clearCookies();
		await dialog.getByRole('button', { name: 'Enqueue', exact: true }).click();
		await page.getByText('Your session has ended').first().waitFor();
		assert.equal(await dialog.getByLabel('Type').inputValue(), 'typed:before');
		await page.screenshot({ path: picture('session-ended') });
		const other = await context.newPage();
		await other.goto(`${base}/queues`);
		await signIn(other, 'operator');
		await settled(other);
		await other.close();
		assert.equal(await dialog.getByLabel('Payload', { exact: true }).inputValue(), '{"kept":true}');
		await dialog.getByRole('button', { name: 'Enqueue', exact: true }).click();
		await until('enqueued', () => redis('LLEN', key(queue, 'pending')), (n) => n === 2);
	});
	await context.close();
});

test('two tabs of one person show what the other has done', async () => {
	const context = await session('admin');
	const queue = await queueOf(2);
	await onPage(shared, { session: context, path: `queue?q=${queue}&state=pending` }, async (one) => {
		await onPage(shared, { session: context, path: `queue?q=${queue}&state=pending` }, async (two) => {
			await two.getByRole('button', { name: 'Pause' }).click();
			await two.getByRole('dialog').getByRole('button', { name: 'Pause' }).click();
			await one.getByText('paused').first().waitFor();
		});
	});
	await context.close();
});

test('every address stays below the path that the browser sees', async () => {
	const context = await session('viewer');
	await onPage(shared, { session: context }, async (page) => {
		const addresses = [];
		page.on('request', (request) => addresses.push(request.url()));
		await page.reload();
		await settled(page);
		await open(page, 'queue?q=default&state=retry');
		await page.locator('main a[href^="task"]').first().click();
		await page.waitForURL(/\/task\?/);
		assert.deepEqual(addresses.filter((address) => !address.startsWith(`${base}`)), []);
	});
	await context.close();
});
