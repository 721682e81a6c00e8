import { messages } from '../messages.js';
import { html, useEffect } from './lib.js';
import { store, storedChoice, useStore } from './store.js';

/** The language of the page, and so of its texts: what counts and numbers follow. */
export const language = document.documentElement.lang;

const plural = new Intl.PluralRules(language);

/**
 * The text of a key such as `queue.empty`. `{name}` is replaced; of a text with forms such as `one` and `other`, `n`
 * chooses one by the rules of the language. A key without a text is shown as it is, so that it is seen.
 * @param {string} key
 * @param {Record<string, string | number>} [values]
 * @returns {string}
 */
export function t(key, values = {}) {
	/** @type {any} */
	let found = messages;
	for (const part of key.split('.')) {
		found = found === undefined || found === null ? undefined : found[part];
	}
	if (found && typeof found === 'object' && 'other' in found) {
		found = found[plural.select(Number(values.n))] || found.other;
	}
	if (typeof found !== 'string') {
		return key;
	}
	return found.replace(/\{(\w+)\}/g, (whole, name) => {
		const value = values[name];
		return value === undefined ? whole : typeof value === 'number' ? value.toLocaleString(language) : value;
	});
}

/**
 * @param {string} key
 * @returns {boolean}
 */
export function hasText(key) {
	return t(key) !== key;
}

/** @param {number | null | undefined} value */
export function number(value) {
	return value === null || value === undefined ? '–' : value.toLocaleString(language);
}

/**
 * @param {number} value
 * @param {number} digits how many stand behind the point
 */
function fixed(value, digits) {
	return value.toLocaleString(language, { minimumFractionDigits: digits, maximumFractionDigits: digits });
}

/**
 * 1234567 as 1.23M, for places where the whole number has no room.
 * @param {number} value
 */
export function compact(value) {
	return Math.abs(value) < 10000 ? number(value)
			: new Intl.NumberFormat(language, { notation: 'compact', maximumFractionDigits: 1 }).format(value);
}

/** @param {number | null | undefined} value */
export function bytes(value) {
	if (value === null || value === undefined) {
		return '–';
	}
	const units = ['B', 'KiB', 'MiB', 'GiB', 'TiB'];
	let rest = value;
	let unit = 0;
	while (rest >= 1024 && unit < units.length - 1) {
		rest /= 1024;
		unit++;
	}
	return `${fixed(rest, unit > 0 && rest < 10 ? 1 : 0)} ${units[unit]}`;
}

/**
 * Seconds of an ISO 8601 duration such as PT1H2.5S or P1DT2H; numbers are seconds already.
 * @param {string | number | null | undefined} value
 * @returns {number | null}
 */
export function seconds(value) {
	if (value === null || value === undefined) {
		return null;
	}
	if (typeof value === 'number') {
		return value;
	}
	const m = /^(-)?P(?:(-?[\d.]+)D)?(?:T(?:(-?[\d.]+)H)?(?:(-?[\d.]+)M)?(?:(-?[\d.]+)S)?)?$/.exec(value);
	if (!m) {
		return null;
	}
	const sum = Number(m[2] || 0) * 86400 + Number(m[3] || 0) * 3600 + Number(m[4] || 0) * 60 + Number(m[5] || 0);
	return m[1] ? -sum : sum;
}

/**
 * Two units at most: 950 ms, 12 s, 3 m 20 s, 5 h 1 m, 12 d 3 h.
 * @param {string | number | null | undefined} value
 */
export function duration(value) {
	const total = seconds(value);
	if (total === null) {
		return '–';
	}
	const sign = total < 0 ? '−' : '';
	const abs = Math.abs(total);
	if (abs === 0) {
		return '0 s';
	}
	if (abs < 1) {
		return `${sign}${Math.max(1, Math.round(abs * 1000))} ms`;
	}
	if (abs < 10) {
		return `${sign}${number(Number(abs.toFixed(1)))} s`;
	}
	const units = /** @type {[number, string][]} */ ([[86400, 'd'], [3600, 'h'], [60, 'm'], [1, 's']]);
	const first = units.findIndex(([size]) => abs >= size);
	const [size, name] = units[first];
	const whole = Math.floor(abs / size);
	const next = units[first + 1];
	const rest = next ? Math.floor((abs - whole * size) / next[0]) : 0;
	return sign + `${whole} ${name}` + (rest > 0 ? ` ${rest} ${next[1]}` : '');
}

/**
 * @param {number} part
 * @param {number} whole
 */
export function percent(part, whole) {
	if (!whole) {
		return '–';
	}
	const value = (part / whole) * 100;
	return value === 0 ? '0 %' : value < 0.1 ? `< ${fixed(0.1, 1)} %` : `${fixed(value, value < 10 ? 1 : 0)} %`;
}

/**
 * A long name's beginning and end, by whole characters.
 * @param {string} text
 * @param {number} [max]
 */
export function shorten(text, max = 64) {
	const characters = Array.from(text);
	if (characters.length <= max) {
		return text;
	}
	const tail = Math.floor(max / 4);
	return characters.slice(0, max - tail - 1).join('') + '…' + characters.slice(-tail).join('');
}

/** @param {string | null | undefined} value */
export function orDash(value) {
	return value === null || value === undefined || value === '' ? t('common.none') : value;
}

export const zone = storedChoice('asynq.zone', 'local', ['local', 'utc']);

// Ages are of the server's clock: a browser that is minutes off must not show a fresh number as old
let ahead = 0;
let bestTrip = Infinity;

/**
 * Learns from an answer how far the browser's clock is ahead of the server's.
 * @param {string | undefined} asOf
 * @param {number} [trip] how long the answer took, in milliseconds
 */
export function learnClock(asOf, trip = 1000) {
	const at = asOf ? Date.parse(asOf) : NaN;
	if (!Number.isNaN(at) && trip <= bestTrip * 1.5) {
		bestTrip = Math.min(bestTrip, trip);
		ahead = Date.now() - at;
	}
}

export function serverNow() {
	return Date.now() - ahead;
}

const clock = store(Date.now());
let watchers = 0;
let timer = 0;

/** The time now, once a second, for as long as somebody looks at it. */
export function useNow() {
	useEffect(() => {
		if (watchers++ === 0) {
			timer = window.setInterval(() => document.hidden || clock.set(Date.now()), 1000);
		}
		return () => {
			if (--watchers === 0) {
				clearInterval(timer);
			}
		};
	}, []);
	useStore(clock);
	return serverNow();
}

/**
 * What stands beside a time: UTC, or the browser's offset at that time.
 * @param {string | number} [at]
 */
export function zoneLabel(at = Date.now()) {
	if (zone.get() === 'utc') {
		return 'UTC';
	}
	const minutes = -new Date(at).getTimezoneOffset();
	if (minutes === 0) {
		return 'UTC+0';
	}
	const rest = Math.abs(minutes) % 60;
	return `UTC${minutes < 0 ? '−' : '+'}${Math.floor(Math.abs(minutes) / 60)}${rest ? ':' + String(rest).padStart(2, '0') : ''}`;
}

/**
 * What a field for a date and a time holds, as a moment: it is of the zone in which times are shown.
 * @param {string} text
 */
export function typedTime(text) {
	return new Date(zone.get() === 'utc' ? text + 'Z' : text).toISOString();
}

/**
 * @param {string | number | null | undefined} value
 * @param {{date?: boolean, seconds?: boolean}} [options]
 */
export function formatTime(value, options = {}) {
	const at = typeof value === 'number' ? value : Date.parse(value || '');
	if (Number.isNaN(at)) {
		return t('common.none');
	}
	const shifted = new Date(zone.get() === 'utc' ? at : at - new Date(at).getTimezoneOffset() * 60000);
	const iso = shifted.toISOString();
	const time = iso.slice(11, options.seconds === false ? 16 : 19);
	return options.date === false ? time : `${iso.slice(0, 10)} ${time}`;
}

/**
 * A moment as a date with its zone, and how far away it is.
 * @param {{value: string | null | undefined, relative?: boolean, absolute?: boolean}} props
 */
export function Time({ value, relative = true, absolute = true }) {
	useStore(zone);
	if (!value) {
		return html`<span class="muted">${t('common.none')}</span>`;
	}
	return html`<time datetime=${value} title=${`${formatTime(value)} ${zoneLabel(value)}`}>${absolute
		&& html`<span class="mono">${formatTime(value)}</span> <span class="muted">${zoneLabel(value)}</span>`}${absolute
		&& relative && html`<span class="muted">, </span>`}${relative && html`<${Ago} value=${value} />`}</time>`;
}

/**
 * "3 m ago" or "in 20 s", counting.
 * @param {{value: string | null | undefined}} props
 */
export function Ago({ value }) {
	const now = useNow();
	return value ? ago(Date.parse(value), now) : t('common.none');
}

/**
 * How long ago it was, without saying ago.
 * @param {{since: string | null | undefined}} props
 */
export function For({ since }) {
	const now = useNow();
	return since ? duration(Math.max(0, Math.round((now - Date.parse(since)) / 1000))) : t('common.none');
}

/**
 * @param {number} at
 * @param {number} now
 */
export function ago(at, now) {
	const seconds = Math.round((now - at) / 1000);
	if (Math.abs(seconds) < 2) {
		return t('time.now');
	}
	return seconds > 0 ? t('time.ago', { duration: duration(seconds) }) : t('time.in', { duration: duration(-seconds) });
}
