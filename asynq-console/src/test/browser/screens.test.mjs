// Every screen opens by its own address with data, in every look: readable, without scrolling sideways, and without a
// fault that axe-core calls serious

import { test } from 'node:test';
import { LOOKS, SCREENS, accessible, fitsWidth, onPage, open, picture, settled, useBrowser } from './console.mjs';

const shared = useBrowser();

/** What Java and Go have written, on the screen that is meant for it. */
const SEEN = {
	overview: ['reports', 'go-mail', 'frozen'],
	queues: ['default', 'go-mail', 'digest', 'hostile'],
	queue: ['order:charge', 'was declined by'],
	task: ['order:pack', 'packing-1'],
	failures: ['order:charge', 'mail:bounce', 'connection refused'],
	periodic: ['shop:statement', '0 3 * * *', 'mail:digest', '*/5 * * * *'],
	servers: ['go-mail', 'reports', 'held-1', 'packing-1', 'pdf'],
	redis: ['noeviction'],
	doctor: ['broken'],
	jobs: ['Jobs'],
};

for (const [look, settings] of Object.entries(LOOKS)) {
	for (const [name, path] of SCREENS) {
		test(`${name} in ${look}`, () => onPage(shared, { ...settings, path }, async (page) => {
			for (const text of SEEN[name]) {
				await page.locator('main').getByText(text).first().or(page.locator('main option', { hasText: text }).first()).first()
					.waitFor({ state: 'attached' });
			}
			if (name === 'doctor') {
				await page.getByRole('button', { name: 'Examine' }).click();
				await page.getByText('an-id-without-a-task').first().waitFor();
			}
			await page.screenshot({ path: picture(`${name}-${look}`), fullPage: look === 'narrow' });
			await fitsWidth(page, `${name} in ${look}`);
			await accessible(page, `${name} in ${look}`);
		}));
	}
}

test('dialogs and the menu are readable at 360 px', () => onPage(shared, { ...LOOKS.narrow, path: 'queues' }, async (page) => {
	await page.getByRole('button', { name: 'Menu' }).click();
	await page.getByRole('navigation').getByRole('link', { name: /^Failures/ }).click();
	await settled(page);
	await page.getByRole('button', { name: 'Run', exact: true }).first().click();
	await page.getByRole('dialog').getByRole('button', { name: /^Run/ }).waitFor();
	await fitsWidth(page, 'a question');
	await accessible(page, 'a question');
	await page.keyboard.press('Escape');
	await open(page, 'queue?q=reports&state=pending');
	await page.getByRole('button', { name: 'Enqueue a task' }).click();
	await page.getByRole('dialog').getByLabel('Type').waitFor();
	await fitsWidth(page, 'the form');
	await accessible(page, 'the form');
	await page.screenshot({ path: picture('enqueue-narrow') });
}));

test('a task that waits for a limit says for which, and the limit for which keys', () => onPage(shared, { ...LOOKS.narrow, path: 'queue?q=digest&state=retry' }, async (page) => {
	await page.locator('main tr', { hasText: 'waiting for limit' }).getByText('pdf, tenant:acme').waitFor();
	await page.getByRole('link', { name: 'waits-1' }).click();
	await page.getByText('It has not failed').waitFor();
	await open(page, 'servers');
	await page.getByRole('button', { name: '1 key of tenant' }).click();
	await page.getByRole('table', { name: 'Keys of tenant' }).getByText('acme').waitFor();
	await page.screenshot({ path: picture('limits-narrow') });
	await fitsWidth(page, 'keys of a limit');
	await accessible(page, 'keys of a limit');
}));

test('an address that leads nowhere says so', () => onPage(shared, { path: 'nowhere', expected: [/404/] }, async (page) => {
	await page.getByText('There is no such screen').waitFor();
}));

test('times are of the zone that is chosen, and say which', () => onPage(shared, { path: 'task?q=default&id=remind-0', timezoneId: 'Asia/Tokyo' }, async (page) => {
	await page.getByRole('button', { name: /^Local/ }).click();
	await page.locator('main').getByText('UTC+9').first().waitFor();
	await page.getByRole('button', { name: 'UTC', exact: true }).click();
	await page.locator('main time').getByText('UTC', { exact: true }).first().waitFor();
}));
