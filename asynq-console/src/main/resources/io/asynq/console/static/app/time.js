import { html, useEffect } from './lib.js';
import { duration } from './format.js';
import { store, storedChoice, useStore } from './store.js';
import { t } from './text.js';

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
