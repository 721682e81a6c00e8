// The picture at the top of the README: the overview while Java and Go work

import assert from 'node:assert/strict';
import { statSync } from 'node:fs';
import { test } from 'node:test';
import { onPage, picture, useBrowser } from './console.mjs';
import { go } from './stage.mjs';

const shared = useBrowser();

const SECONDS = 24;

const LARGEST = 200_000;

test('the overview', () => onPage(shared, { viewport: { width: 1400, height: 880 } }, async (page) => {
	for (let second = 0; second < SECONDS; second++) {
		const begun = Date.now();
		await go('enqueueMany', { type: 'mail:deliver', queue: 'go-mail', prefix: `letter-${second}-`, count: 20 + Math.round(15 * Math.sin(second / 3)) });
		await new Promise((resolve) => setTimeout(resolve, Math.max(0, 1000 - (Date.now() - begun))));
	}
	await page.screenshot({ path: picture('console') });
	assert.ok(statSync(picture('console')).size <= LARGEST);
}));
