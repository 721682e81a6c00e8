// Ten open browsers cost Redis what one costs

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { onPage, useBrowser } from './console.mjs';
import { redis } from './stage.mjs';

const shared = useBrowser();

const SECONDS = 12;

/** How many commands Redis gets meanwhile, those of scripts included. */
async function commands() {
	const calls = async () => [...(await redis('INFO', 'commandstats')).matchAll(/cmdstat_(?!info|config)[^:]*:calls=(\d+)/g)]
		.reduce((sum, [, n]) => sum + Number(n), 0);
	const before = await calls();
	await new Promise((resolve) => setTimeout(resolve, SECONDS * 1000));
	return await calls() - before;
}

/** Opens so many pages, each in a browser of its own, and measures while they are open. */
async function withPages(count, path, measure) {
	return count === 0 ? measure() : new Promise((resolve, reject) => {
		onPage(shared, { path }, async (page) => {
			await page.locator('.live-live').waitFor();
			resolve(await withPages(count - 1, path, measure));
		}).catch(reject);
	});
}

for (const path of ['', 'queue?q=default&state=retry', 'servers']) {
	test(`ten look at ${path || 'the overview'}`, async () => {
		const none = await commands();
		const one = await withPages(1, path, commands);
		const ten = await withPages(10, path, commands);
		const cost = (n) => n - none;
		console.log(`${path || 'overview'}: in ${SECONDS} s nobody ${none}, one ${one}, ten ${ten} commands`);
		// Other programs use this Redis too, and not always alike
		assert.ok(cost(ten) < 2 * cost(one) + 0.2 * none, `nobody ${none}, one ${one}, ten ${ten}`);
	});
}
