// Texts and numbers in the page's language, and the order of lines, without a browser

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { test } from 'node:test';

const app = new URL('../../main/resources/io/asynq/console/static/app/', import.meta.url);

/** What an expression of the page's functions is in a page of this language. */
function inPage(lang, expression) {
	const program = `globalThis.document = { documentElement: { lang: '${lang}' } };
		const { t, number, percent, bytes, compact, duration } = await import('${app}format.js');
		console.log(JSON.stringify(${expression}));`;
	return JSON.parse(execFileSync(process.execPath, ['--input-type=module', '--eval', program], { encoding: 'utf8' }));
}

test('one has a form of its own, and larger numbers are grouped', () => {
	assert.deepEqual(inPage('en', `[0, 1, 2, 1234].map((n) => t('overview.allQueues', { n }))`),
		['All 0 queues', 'The only queue', 'All 2 queues', 'All 1,234 queues']);
	assert.deepEqual(inPage('en', `[1, 253].map((n) => t('queue.wholeScope', { n, state: t('state.retry') }))`),
		['The only retry task', 'All 253 retry tasks']);
});

for (const [what, known, lines, expected] of [
	['lines that change their order stay', 'abc', 'cab', 'abc'], ['what has gone leaves no hole', 'abcd', 'dcb', 'bcd'],
	['a new line stands behind the one that it follows', 'abc', 'cxab', 'abcx'], ['a new first line is the first', 'abc', 'xcab', 'xabc'],
	['several new lines keep their order', 'abc', 'xycza', 'xyacz'], ['all are new', '', 'bca', 'bca'], ['none is left', 'abc', '', '']]) {
	test(what, async () => {
		const { steady } = await import(new URL('steady.js', app));
		assert.equal(steady([...known], [...lines], (line) => line).join(''), expected);
	});
}

test('no text counts things in the plural only', async () => {
	const { messages } = await import(new URL('../messages.js', app));
	const flat = (value, name) => typeof value === 'string' ? [[name, value]]
		: 'other' in value ? [] : Object.entries(value).flatMap(([key, one]) => flat(one, `${name}.${key}`));
	const plural = /\{(n|count|shown|total)\} (?:\w+ )?(?:\w+s\b|are\b)/;
	assert.deepEqual(flat(messages, '').filter(([, text]) => plural.test(text)), []);
});

test('which number is one is told by the language', () => {
	assert.deepEqual(inPage('fr', `[0, 1, 2].map((n) => t('overview.allQueues', { n }))`),
		['The only queue', 'The only queue', 'All 2 queues']);
	assert.deepEqual(inPage('ja', `[0, 1, 2].map((n) => t('overview.allQueues', { n }))`),
		['All 0 queues', 'All 1 queues', 'All 2 queues']);
});

for (const [lang, ...expected] of [['en', '1,234,567', '2.5 %', '< 0.1 %', '1.5 KiB', '1.2M', '2.5 s'],
	['de', '1.234.567', '2,5 %', '< 0,1 %', '1,5 KiB', '1,2\u00a0Mio.', '2,5 s'],
	['fr', '1\u202f234\u202f567', '2,5 %', '< 0,1 %', '1,5 KiB', '1,2\u00a0M', '2,5 s']]) {
	test(`numbers are written as in ${lang}`, () => assert.deepEqual(inPage(lang,
		'[number(1234567), percent(25, 1000), percent(1, 10000), bytes(1536), compact(1234567), duration(2.5)]'), expected));
}
