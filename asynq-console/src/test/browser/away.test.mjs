// While Redis is away the console says so, keeps what was typed, and goes on by itself

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { accessible, onPage, picture, useBrowser } from './console.mjs';
import { key, queueOf, redis, redisComes, redisGoes, redisGoesOn, redisHangs, until } from './stage.mjs';

const shared = useBrowser();

for (const [what, go, come] of [['is gone', redisGoes, redisComes], ['hangs', redisHangs, redisGoesOn]]) {
	test(`Redis ${what} while a form is open`, async () => {
		const queue = await queueOf(1);
		await onPage(shared, { path: `queue?q=${queue}&state=pending`, expected: [/50[0-9]|Failed to load/] }, async (page) => {
			await page.getByRole('button', { name: 'Enqueue a task' }).click();
			const dialog = page.getByRole('dialog');
			await dialog.getByLabel('Type').fill('typed:before');
			await dialog.getByLabel('Payload', { exact: true }).fill('{"kept":true}');
			await go();
			try {
				await dialog.getByRole('button', { name: 'Enqueue', exact: true }).click();
				await page.getByText('Redis is away').first().waitFor({ timeout: 60_000 });
				// The stream may tell of it first: Redis comes back when the form was refused, or it would take the task
				await dialog.getByRole('alert').waitFor({ timeout: 60_000 });
				assert.equal(await dialog.getByLabel('Type').inputValue(), 'typed:before');
				await page.screenshot({ path: picture(`redis-${what.split(' ').pop()}`) });
				await accessible(page, 'the banner');
			}
			finally {
				await come();
			}
			await page.getByText('Redis is away').first().waitFor({ state: 'detached', timeout: 60_000 });
			assert.equal(await dialog.getByLabel('Payload', { exact: true }).inputValue(), '{"kept":true}');
			const before = await redis('LLEN', key(queue, 'pending'));
			await dialog.getByRole('button', { name: 'Enqueue', exact: true }).click();
			await until('enqueued', () => redis('LLEN', key(queue, 'pending')), (n) => n === before + 1);
		});
	});
}
