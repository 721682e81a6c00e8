// Ten open browsers cost Redis what one costs

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { onPage, useBrowser } from './console.mjs';
import { redis } from './stage.mjs';

const shared = useBrowser();

// Screens read every two, five or ten seconds: a whole number of times
const SECONDS = 10;

/** How many commands Redis gets meanwhile, those of scripts included. */
async function commands() {
	const calls = async () => [...(await redis('INFO', 'commandstats')).matchAll(/cmdstat_(?!info|config)[^:]*:calls=(\d+)/g)]
		.reduce((sum, [, n]) => sum + Number(n), 0);
	const before = await calls();
	await new Promise((resolve) => setTimeout(resolve, SECONDS * 1000));
	return await calls() - before;
}

/** Opens so many more pages, each in a session of its own, and goes on while they are open. */
async function withPages(count, path, go) {
	if (count === 0) {
		return go();
	}
	let result;
	await onPage(shared, { path }, async (page) => {
		await page.locator('.live-live').waitFor();
		result = await withPages(count - 1, path, go);
	});
	return result;
}

// What other programs do on this Redis is the same for all screens
let none;

for (const path of ['', 'queue?q=default&state=retry', 'servers', 'periodic', 'redis']) {
	test(`ten look at ${path || 'the overview'}`, async () => {
		none ??= await commands();
		const { one, ten } = await withPages(1, path, async () => ({ one: await commands(), ten: await withPages(9, path, commands) }));
		const cost = (n) => n - none;
		console.log(`${path || 'overview'}: in ${SECONDS} s nobody ${none}, one ${one}, ten ${ten} commands`);
		// Other programs use this Redis too, and not always alike
		assert.ok(cost(ten) < 2 * cost(one) + 0.2 * none, `nobody ${none}, one ${one}, ten ${ten}`);
	});
}
