// Numbers follow Redis, pushed or asked for, and lists stay as they are until somebody wants to see what is new

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { onPage, useBrowser } from './console.mjs';
import { go, queueOf } from './stage.mjs';

const shared = useBrowser();

const WAYS = {
	live: undefined,
	// As in a browser without event streams, or behind a proxy that lets none through
	polling: () => delete window.EventSource,
};

for (const [mode, init] of Object.entries(WAYS)) {
	test(`a list does not move until it is asked to: ${mode}`, async () => {
		const queue = await queueOf(2);
		await onPage(shared, { path: `queue?q=${queue}&state=pending`, init }, async (page) => {
			await page.locator(`.live-${mode}`).waitFor();
			const rows = page.locator('.table tbody tr');
			await rows.nth(1).waitFor();
			await go('enqueue', { queue, type: 'test:work', taskId: 'new', payload: '' });
			const show = page.getByRole('button', { name: '1 new, show' });
			await show.waitFor();
			await page.locator('.tabs').getByText('3', { exact: true }).waitFor();
			assert.equal(await rows.count(), 2);
			await show.click();
			await rows.nth(2).waitFor();
			await show.waitFor({ state: 'detached' });
		});
	});
}

test('a queue that is not there does not look like a server that is away',
	() => onPage(shared, { path: 'queue?q=nobody', init: WAYS.polling, expected: [/404/] }, async (page) => {
		await page.getByText('There is no such queue').first().waitFor();
		await page.locator('.live-polling').waitFor();
	}));
