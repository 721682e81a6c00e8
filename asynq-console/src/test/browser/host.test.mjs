// Another kind of host serves the same: screens, live numbers, a change

import { test } from 'node:test';
import { SCREENS, onPage, open, useBrowser } from './console.mjs';
import { key, queueOf, redis, until } from './stage.mjs';

const shared = useBrowser();

for (const [name, path] of SCREENS) {
	test(`${name} opens`, () => onPage(shared, { path }, async (page) => {
		await page.locator('main').getByText(/\w/).first().waitFor();
	}));
}

test('numbers are pushed, and a change is made', async () => {
	const queue = await queueOf(2);
	await onPage(shared, {}, async (page) => {
		await page.locator('.live-live').waitFor();
		await open(page, `queue?q=${queue}&state=pending`);
		await page.getByRole('button', { name: 'Pause' }).click();
		await page.getByRole('dialog').getByRole('button', { name: 'Pause' }).click();
		await until('paused', () => redis('EXISTS', key(queue, 'paused')), (n) => n === 1);
		await queueOf(0);
		await redis('LPUSH', key(queue, 'pending'), 'nothing');
		// The number on the tab follows without a click
		await page.locator('.tabs').getByText('3', { exact: true }).waitFor();
	});
});
