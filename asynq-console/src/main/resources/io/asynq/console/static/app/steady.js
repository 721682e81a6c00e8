import { useRef } from './lib.js';

/**
 * Lines in the order in which they are known; a new one stands behind the line that it follows in `lines`.
 * @template Line
 * @param {string[]} known keys
 * @param {Line[]} lines
 * @param {(line: Line) => string} keyOf
 */
export function steady(known, lines, keyOf) {
	const byKey = new Map(lines.map((line) => [keyOf(line), line]));
	const keys = known.filter((key) => byKey.has(key));
	const placed = new Set(keys);
	let before = '';
	for (const key of byKey.keys()) {
		if (!placed.has(key)) {
			keys.splice(before === '' ? 0 : keys.indexOf(before) + 1, 0, key);
		}
		before = key;
	}
	return keys.map((key) => /** @type {Line} */ (byKey.get(key)));
}

/**
 * Lines that do not change places while one looks at them, although what they are sorted by does.
 * @template Line
 * @param {Line[]} lines sorted
 * @param {(line: Line) => string} keyOf
 * @param {string} [by] another order begins anew
 */
export function useSteady(lines, keyOf, by = '') {
	const last = useRef({ by, keys: /** @type {string[]} */ ([]) });
	const shown = steady(last.current.by === by ? last.current.keys : [], lines, keyOf);
	last.current = { by, keys: shown.map(keyOf) };
	return shown;
}
