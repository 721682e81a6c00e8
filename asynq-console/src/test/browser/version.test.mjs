// A page of one version of the console that another version answers: open since before a deployment, or behind a balancer

import assert from 'node:assert/strict';
import { createServer, request as send } from 'node:http';
import { after, before, test } from 'node:test';
import { LOOKS, accessible, enter, onPage, picture, settled, useBrowser } from './console.mjs';
import { key, queueOf, redis, until } from './stage.mjs';

const shared = useBrowser();

const ONE = process.env.CONSOLE_HOST;

/** Other files, and it asks for reasons, of which a page of the first knows nothing. */
const OTHER = process.env.OTHER_HOST;

/** Says which of the two answers what is asked by a path. */
let choose = () => ONE;

const balancer = createServer((asked, answer) => {
	const headers = { ...asked.headers, connection: 'close' };
	const forward = send(choose(asked.url) + asked.url, { method: asked.method, headers, agent: false }, (given) => {
		answer.writeHead(given.statusCode, given.headers);
		given.pipe(answer);
	});
	forward.on('error', () => answer.destroy());
	answer.on('close', () => forward.destroy());
	asked.pipe(forward);
});

let place;

before(async () => {
	await new Promise((resolve) => balancer.listen(0, '127.0.0.1', resolve));
	place = `http://127.0.0.1:${balancer.address().port}/asynq`;
});

after(() => {
	balancer.close();
	balancer.closeAllConnections();
});

test('a page that is open while the application changes says so and loses nothing', async () => {
	const queue = await queueOf(1);
	choose = () => ONE;
	await onPage(shared, { at: place, path: `queue?q=${queue}&state=pending`, expected: [/40[04]|ERR_|Failed to load/] }, async (page) => {
		const banner = page.getByText('The application runs another version now.');
		await page.locator('.live-live').waitFor();
		assert.equal(await banner.count(), 0);
		await page.getByRole('button', { name: 'Enqueue a task' }).click();
		const dialog = page.getByRole('dialog');
		await dialog.getByLabel('Type').fill('typed:before');
		await dialog.getByLabel('Payload', { exact: true }).fill('{"kept":true}');
		choose = () => OTHER;
		// Streams end, as they do when an instance is stopped
		balancer.closeAllConnections();
		await banner.waitFor();
		await dialog.getByRole('button', { name: 'Enqueue', exact: true }).click();
		await dialog.getByText('asynq.console.require-reason is true').waitFor();
		assert.equal(await dialog.getByLabel('Type').inputValue(), 'typed:before');
		assert.equal(await dialog.getByLabel('Payload', { exact: true }).inputValue(), '{"kept":true}');
		assert.equal(await redis('LLEN', key(queue, 'pending')), 1);
		choose = () => ONE;
		await dialog.getByRole('button', { name: 'Enqueue', exact: true }).click();
		await until('enqueued', () => redis('LLEN', key(queue, 'pending')), (n) => n === 2);
		await page.screenshot({ path: picture('other-version') });
		await accessible(page, 'the banner of another version');
	});
});

test('a screen that only another version has leads to a page of that version', async () => {
	choose = () => ONE;
	await onPage(shared, { at: place, path: 'queues', expected: [/404|ERR_|Failed to load/] }, async (page) => {
		choose = () => OTHER;
		await page.getByRole('link', { name: 'Periodic' }).click();
		await page.getByText('A file of this page is missing').waitFor();
		await page.getByRole('main').getByRole('button', { name: 'Try again' }).click();
		await page.getByRole('heading', { name: 'shop:stock' }).first().waitFor();
		assert.match(page.url(), /\/asynq\/periodic$/);
		assert.equal(await page.getByText('The application runs another version now.').count(), 0);
	});
});

for (const [what, ofOther] of [['all files', (path) => path.includes('/assets/')], ['one file', (path) => path.endsWith('/messages.js')]]) {
	test(`a page of which ${what} would have to come from another version says what to do`, async () => {
		const context = await shared.browser.newContext(LOOKS.light);
		const page = await context.newPage();
		choose = () => ONE;
		await enter(context, place);
		choose = (path) => ofOther(path) ? OTHER : ONE;
		await page.goto(`${place}/queues`);
		await page.getByText('Load the page again.').waitFor();
		choose = () => OTHER;
		await page.reload();
		await settled(page);
		assert.equal(await page.getByText('Load the page again.').count(), 0);
		await context.close();
	});
}
