// Names and payloads that are an attack are text: nothing of them runs, and every one of them can be opened and deleted

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ask, fitsWidth, LOOKS, onPage, open, useBrowser } from './console.mjs';
import { go, key, redis, until } from './stage.mjs';

const shared = useBrowser();

const ids = (await go('list', { queue: 'hostile', state: 'pending', group: '', page: 1, size: 30 })).map(({ id }) => id)
	.filter((id, i, all) => !id.includes('\ufffd') && all.indexOf(id) === i);

test('a list of attacks', () => onPage(shared, { path: 'queue?q=hostile&state=pending' }, async (page) => {
	assert.ok(ids.length >= 10, String(ids));
	await page.getByText('onerror').first().waitFor();
	await fitsWidth(page, 'the list');
	await page.setViewportSize(LOOKS.narrow.viewport);
	await fitsWidth(page, 'the list at 360 px');
}));

for (const [i, id] of ids.entries()) {
	test(`task ${JSON.stringify(id.slice(0, 40))}`, () => onPage(shared, { path: `task?${new URLSearchParams({ q: 'hostile', id })}` }, async (page) => {
		await page.getByRole('button', { name: 'Delete' }).waitFor();
		await page.setViewportSize(LOOKS.narrow.viewport);
		await fitsWidth(page, id.slice(0, 40));
		if (i % 2 === 0) {
			await page.getByRole('button', { name: 'Delete' }).click();
			await page.getByRole('dialog').getByRole('button', { name: /^Delete/ }).click();
			await until('deleted', () => redis('EXISTS', key('hostile', `t:${id}`)), (n) => n === 0);
		}
	}));
}

test('an id that is not UTF-8 does not hide the others', () => onPage(shared, { path: 'queue?q=hostile&state=pending' }, async (page) => {
	await page.locator('tbody tr').nth(2).waitFor();
}));

test('a table that is opened by a spreadsheet has no formulas', async () => {
	const queue = 'hostile';
	await go('enqueue', { queue, type: '=1+1', taskId: `@formula-${Date.now()}`, payload: Buffer.from('-2+3').toString('base64') });
	const text = await (await ask(`api/v1/export?${new URLSearchParams({ q: queue, state: 'pending' })}`)).text();
	for (const cell of text.split(/\r?\n/).slice(1).flatMap((line) => line.match(/("(?:[^"]|"")*"|[^,]*)/g))) {
		assert.doesNotMatch(cell.replace(/^"/, ''), /^[=+\-@\t\r]/);
	}
});

test('HTML in an error is text', async () => {
	await go('enqueue', { queue: 'go-mail', type: 'mail:reject', taskId: 'rejected-html', payload: '' });
	await until('archived', () => redis('HGET', key('go-mail', 't:rejected-html'), 'state'), (state) => state === 'archived');
	await onPage(shared, { path: 'failures?type=mail:reject' }, async (page) => {
		await page.getByText('<b>here</b>').first().waitFor();
		await open(page, 'task?q=go-mail&id=rejected-html');
		await page.getByText('<b>here</b>').first().waitFor();
	});
});

test('a payload of 5 MB does not hurt', async () => {
	const id = 'large';
	await go('enqueue', { queue: 'large', type: 'large', taskId: id, payload: Buffer.alloc(5_000_000, '{"a":"<b>"}').toString('base64') });
	await onPage(shared, { path: `task?q=large&id=${id}` }, async (page) => {
		await page.getByText(/The first .* are shown/).waitFor();
		const [download] = await Promise.all([page.waitForEvent('download'), page.getByRole('link', { name: 'Download' }).first().click()]);
		const parts = [];
		for await (const part of await download.createReadStream()) {
			parts.push(part);
		}
		assert.equal(Buffer.concat(parts).length, 5_000_000);
	});
});

test('an answer that ends halfway is asked for again', () => onPage(shared, {}, async (page) => {
	await page.addInitScript(() => {
		const real = window.fetch;
		let halves = 1;
		window.fetch = async (url, init) => (String(url).includes('v1/task?') && halves-- > 0
			? new Response('{"task":', { headers: { 'Content-Type': 'application/json' } }) : real(url, init));
	});
	await open(page, 'task?q=default&id=packing-1');
	await page.getByText('order:pack').first().waitFor();
}));
