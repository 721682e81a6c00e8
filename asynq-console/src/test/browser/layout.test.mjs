// What is on a screen keeps its place as data arrives, is not cut without a way to read it, and is compact on a telephone

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LOOKS, SCREENS, fitsWidth, onPage, picture, useBrowser } from './console.mjs';

const shared = useBrowser();

const TELEPHONE = { colorScheme: 'light', viewport: { width: 390, height: 844 } };

/** Notes what moves, as the browser itself measures it. */
function watchShifts() {
	window.shifts = [];
	new PerformanceObserver((list) => list.getEntries().forEach((entry) => window.shifts.push({ value: entry.value,
		what: entry.sources.map(({ node, previousRect: a, currentRect: b }) => `${node?.nodeName} ${node?.className} ${
			node?.textContent.slice(0, 30)}: ${a.x},${a.y} to ${b.x},${b.y}`) })))
		.observe({ type: 'layout-shift', buffered: true });
}

for (const [look, settings] of [['on a screen', LOOKS.light], ['on a telephone', TELEPHONE]]) {
	for (const [name, path] of SCREENS) {
		test(`nothing of ${name} moves as its data arrives ${look}`, () => onPage(shared, { ...settings, path, init: watchShifts }, async (page) => {
			// Two pictures later, all that the last answer has moved is noted
			await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done)))));
			const shifts = await page.evaluate(() => window.shifts);
			assert.ok(shifts.reduce((sum, { value }) => sum + value, 0) < 0.005, JSON.stringify(shifts, null, '\t'));
		}));
	}
}

/** What is cut and has no title that says all of it; placeholders that do not fit. */
function cut() {
	const context = document.createElement('canvas').getContext('2d');
	const placeholders = [...document.querySelectorAll('input[placeholder]')].filter((input) => {
		const style = getComputedStyle(input);
		context.font = style.font;
		return context.measureText(input.placeholder).width
			> input.clientWidth - parseFloat(style.paddingLeft) - parseFloat(style.paddingRight);
	});
	const texts = [...document.querySelectorAll('body *')].filter((element) => {
		const { overflowX, textOverflow, webkitLineClamp } = getComputedStyle(element);
		return overflowX === 'hidden' && (textOverflow === 'ellipsis' || webkitLineClamp !== 'none') && !element.closest('[title]')
			&& (element.scrollWidth > element.clientWidth || element.scrollHeight > element.clientHeight + 1);
	});
	const boxes = [...document.querySelectorAll('.table-box')].filter((box) => box.scrollWidth > box.clientWidth);
	return [...placeholders.map((one) => one.placeholder), ...texts.map((one) => `${one.className}: ${one.textContent.slice(0, 80)}`),
		...boxes.map((box) => `${box.firstChild.ariaLabel} is ${box.scrollWidth} wide, its place ${box.clientWidth}`)];
}

for (const [name, path] of [...SCREENS, ...['pending', 'active', 'archived', 'scheduled', 'completed']
	.map((state) => [`the queue's ${state} tasks`, `queue?q=default&state=${state}`]),
	['the queue of groups', 'queue?q=digest&state=aggregating'], ['a queue with a hostile name', 'queue?q=hostile&state=pending']]) {
	test(`nothing of ${name} is cut at 1440 px`, () => onPage(shared, { path }, async (page) => {
		assert.deepEqual(await page.evaluate(cut), []);
	}));
}

for (const [name, path] of [['queues', 'queues'], ['retries', 'queue?q=default&state=retry']]) {
	test(`${name} are compact rows at 390 px`, () => onPage(shared, { ...TELEPHONE, path }, async (page) => {
		await page.locator('.table tbody tr').first().waitFor();
		await page.screenshot({ path: picture(`${name}-telephone`) });
		const heights = await page.locator('.table tbody tr').evaluateAll((rows) => rows.map((row) => row.offsetHeight));
		assert.ok(Math.max(...heights) <= 125, `rows are ${heights} high`);
		await fitsWidth(page, `${name} at 390 px`);
	}));
}
