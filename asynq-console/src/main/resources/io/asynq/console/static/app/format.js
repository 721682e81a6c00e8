import { language, t } from './text.js';

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
