// A browser on the console: whatever is refused by the content security policy, thrown by a script or run out of a
// task's data is a failure of the test that was looking

import assert from 'node:assert/strict';
import { mkdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { after, before } from 'node:test';
import { chromium } from 'playwright-core';
import { until } from './stage.mjs';

export const host = process.env.CONSOLE_HOST;
export const base = `${host}/asynq`;
const token = process.env.CONSOLE_TOKEN;
const pictures = process.env.SCREENSHOTS;
const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** Every screen that has a place in the navigation, and those that a queue or a task opens. */
export const SCREENS = [
	['overview', ''], ['queues', 'queues'], ['queue', 'queue?q=default&state=retry'], ['task', 'task?q=default&id=packing-1'],
	['failures', 'failures'], ['periodic', 'periodic'], ['servers', 'servers'], ['redis', 'redis'], ['doctor', 'doctor?q=broken'],
	['jobs', 'jobs'],
];

export const LOOKS = {
	light: { colorScheme: 'light', viewport: { width: 1440, height: 900 } },
	dark: { colorScheme: 'dark', viewport: { width: 1440, height: 900 } },
	narrow: { colorScheme: 'light', viewport: { width: 360, height: 740 } },
};

/** One browser for the tests of a file. */
export function useBrowser() {
	const shared = { browser: null };
	before(async () => {
		// Tests may run as root, and have no other content than their own
		shared.browser = await chromium.launch({ executablePath: '/usr/bin/chromium',
			args: ['--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage'] });
	});
	after(() => shared.browser?.close());
	return shared;
}

/** Lets a browser's context in, where a token does that. */
export async function enter(context, at = base) {
	if (token) {
		const answer = await context.request.get(`${at}/?token=${token}`);
		assert.equal(answer.status(), 200, await answer.text());
	}
}

/** Asks as a script does. */
export async function ask(path) {
	const entered = token && await fetch(`${base}/?token=${token}`, { redirect: 'manual' });
	return fetch(`${base}/${path}`, { headers: entered ? { Cookie: entered.headers.getSetCookie()[0].split(';')[0] } : {} });
}

/**
 * Opens a page, does something with it, and fails if anything went wrong that a person might not see.
 * `expected` are patterns of messages that belong to the test, such as those of a refused request; `init` runs in the
 * page before its scripts do; `at` is where the console is.
 */
export async function onPage({ browser }, options, use) {
	const { expected = [], path = '', at = base, session, init, ...rest } = options;
	const context = session || await browser.newContext({ ...LOOKS.light, locale: 'en-GB', timezoneId: 'UTC', ...rest });
	await enter(context, at);
	const page = await context.newPage();
	page.setDefaultTimeout(30_000);
	const wrong = [];
	const note = (text, where = '') => expected.some((pattern) => pattern.test(text)) || wrong.push(`${text} ${where}`.trim());
	page.on('pageerror', (error) => note(`error: ${error.stack || error}`));
	page.on('console', (message) => message.type() === 'error' && note(`console: ${message.text()}`, message.location().url));
	page.on('crash', () => note('the page has crashed'));
	page.on('dialog', (dialog) => {
		note(`dialog: ${dialog.message()}`);
		dialog.dismiss();
	});
	await page.addInitScript(() => addEventListener('securitypolicyviolation',
		(event) => console.error(`policy: ${event.violatedDirective} forbids ${event.blockedURI} in ${event.sourceFile}`)));
	if (init) {
		await page.addInitScript(init);
	}
	try {
		await page.goto(`${at}/${path}`.replace(/\/$/, ''));
		await settled(page);
		await use(page, context);
		assert.equal(await page.evaluate(() => window.attacked), undefined, 'data of a task was run as a script');
		assert.deepEqual(wrong, []);
	}
	catch (error) {
		await page.screenshot({ path: picture('failed') }).catch(() => {});
		if (wrong.length) {
			error.message += `\n  besides: ${wrong.join('\n  ')}`;
		}
		throw error;
	}
	finally {
		await (session ? page.close() : context.close());
	}
}

/** Waits until the screen has its data: nothing on it says that it is busy. */
export async function settled(page) {
	await page.locator('main h1, main .empty').first().waitFor();
	await page.waitForFunction(() => !document.querySelector('main [aria-busy="true"], main .skeleton'));
}

export async function open(page, path) {
	await page.goto(`${base}/${path}`.replace(/\/$/, ''));
	await settled(page);
}

export function picture(name) {
	mkdirSync(pictures, { recursive: true });
	return join(pictures, `${name}.png`);
}

/** Fails for what axe-core calls serious or critical. */
export async function accessible(page, what) {
	// Through the debugger, which the page's policy does not bind
	await page.evaluate(axe);
	const { violations } = await page.evaluate(() => window.axe.run(document, { resultTypes: ['violations'] }));
	const bad = violations.filter(({ impact }) => impact === 'serious' || impact === 'critical')
		.map(({ id, impact, nodes }) => `${impact} ${id}: ${nodes.slice(0, 5).map(({ target, failureSummary }) =>
			`${target.join(' ')} (${failureSummary.split('\n').slice(1).join(' ').trim()})`).join('; ')}`);
	assert.deepEqual(bad, [], `axe-core on ${what}`);
}

/** Fails if something stays wider than the window: a layout settles, after a change of size by an event of its own. */
export async function fitsWidth(page, what) {
	let seen = '';
	try {
		await until('width', () => page.evaluate(() => {
			const { scrollWidth: wide, clientWidth: width } = document.documentElement;
			return wide <= width ? '' : `${wide} > ${width}: ${[...document.querySelectorAll('body *')]
				.filter((element) => element.getBoundingClientRect().right > width + 1)
				.slice(0, 5).map((element) => `${element.tagName.toLowerCase()}.${element.className}`).join(', ')}`;
		}), (culprits) => (seen = culprits) === '');
	}
	catch (error) {
		throw seen ? new Error(`${what} scrolls sideways: ${seen}`) : error;
	}
}
