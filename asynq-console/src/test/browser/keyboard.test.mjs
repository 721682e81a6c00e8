// Without a mouse: the palette, lists, tabs of a queue, questions

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SCREENS, onPage, settled, useBrowser } from './console.mjs';
import { key, queueOf, redis, until } from './stage.mjs';

const shared = useBrowser();

test('the palette finds a queue, a task by its id, a type and a screen', () => onPage(shared, {}, async (page) => {
	for (const [text, address] of [['go-mail', /queue\?q=go-mail/], ['remind-1', /task\?q=default&id=remind-1/], ['Servers', /\/servers/],
		['order:charge', /order(:|%3A)charge/]]) {
		await page.keyboard.press('Control+k');
		await page.getByRole('combobox').fill(text);
		await page.getByRole('option').filter({ hasText: text }).first().waitFor();
		await page.keyboard.press('Enter');
		await page.waitForURL(address);
		await settled(page);
	}
}));

/** On a busy machine the second of two keys may come later than any hand would press it. */
function waitForTheSecondKey() {
	const real = window.setTimeout;
	window.setTimeout = (action, delay = 0, ...rest) => real(action, delay === 1200 ? 60_000 : delay, ...rest);
}

test('letters lead to each screen', () => onPage(shared, { init: waitForTheSecondKey }, async (page) => {
	for (const [letter, address] of [['q', '/queues'], ['f', '/failures'], ['p', '/periodic'], ['s', '/servers'], ['r', '/redis'], ['d', '/doctor'], ['j', '/jobs']]) {
		await page.keyboard.press('g');
		await page.keyboard.press(letter);
		await page.waitForURL((url) => url.pathname.endsWith(address));
		await settled(page);
	}
}));

test('a list is walked, a line selected, a task opened', () => onPage(shared, { path: 'queue?q=default&state=scheduled' }, async (page) => {
	await page.keyboard.press('j');
	await page.keyboard.press('j');
	await page.keyboard.press('x');
	await page.getByText('1 selected').waitFor();
	await page.keyboard.press('Enter');
	await page.waitForURL(/\/task\?/);
}));

/** What a screen does after it is drawn comes a second later. */
function busy() {
	const late = window.setTimeout;
	window.setTimeout = (action, delay = 0, ...rest) => late(action, delay + 1000, ...rest);
	window.requestAnimationFrame = (draw) => late(draw, 1000);
}

test('keys act as soon as a list is seen, also while the browser is busy', () => onPage(shared,
		{ init: busy, path: 'queue?q=default&state=pending' }, async (page) => {
	await page.getByRole('navigation', { name: 'States' }).getByText('scheduled').click();
	await page.getByRole('link', { name: 'remind-1', exact: true }).waitFor();
	await page.keyboard.press('j');
	await page.keyboard.press('x');
	await page.getByText('1 selected').waitFor();
}));

test('a question is answered, and closed by Escape with the focus where it was', async () => {
	const queue = await queueOf(1);
	await onPage(shared, { init: busy, path: `queue?q=${queue}&state=pending` }, async (page) => {
		const pause = page.getByRole('button', { name: 'Pause' });
		await pause.focus();
		await page.keyboard.press('Enter');
		await page.getByRole('dialog').waitFor();
		for (let n = 0; n < 12; n++) {
			await page.keyboard.press('Tab');
			assert.ok(await page.evaluate(() => document.activeElement === document.body || document.activeElement.closest('dialog') !== null),
				'the focus has left the question');
		}
		await page.keyboard.press('Escape');
		await page.getByRole('dialog').waitFor({ state: 'detached' });
		assert.equal(await page.evaluate(() => document.activeElement.textContent.trim()), 'Pause');
		await page.keyboard.press('Enter');
		await page.getByRole('dialog').getByRole('button', { name: 'Pause' }).focus();
		await page.keyboard.press('Enter');
		await until('paused', () => redis('EXISTS', key(queue, 'paused')), (n) => n === 1);
	});
});

test('every control of a screen is reached by Tab, and is seen when it has the focus', async () => {
	for (const [name, path] of SCREENS.filter(([name]) => ['overview', 'queue', 'failures', 'doctor'].includes(name))) {
		await onPage(shared, { path }, async (page) => {
			const wanted = await page.locator('main').locator('a[href]:visible, button:enabled:visible, input:enabled:visible, select:visible, summary:visible').count();
			const seen = new Set();
			await page.evaluate(() => document.body.focus());
			for (let n = 0; n < Math.min(wanted, 25) + 35; n++) {
				await page.keyboard.press('Tab');
				const at = await page.evaluate(() => {
					const element = document.activeElement;
					if (!element || !element.closest('main') || element.id === 'main') {
						return null;
					}
					window.numbers = window.numbers || new Map();
					window.numbers.has(element) || window.numbers.set(element, window.numbers.size);
					const { outlineStyle, boxShadow } = getComputedStyle(element);
					return { number: window.numbers.get(element), visible: outlineStyle !== 'none' || boxShadow !== 'none', what: element.outerHTML.slice(0, 120) };
				});
				if (at) {
					seen.add(at.number);
					assert.ok(at.visible, `${name}: no focus is seen on ${at.what}`);
				}
			}
			assert.ok(seen.size >= Math.min(wanted, 25), `${name}: ${seen.size} of ${wanted} controls`);
		});
	}
});
