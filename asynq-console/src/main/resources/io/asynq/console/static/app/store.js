import { useEffect, useState } from './lib.js';

/**
 * A value that components can watch.
 * @template T
 * @typedef {object} Store
 * @property {() => T} get
 * @property {(next: T) => void} set
 * @property {(change: (value: T) => T) => void} update
 * @property {(listener: (value: T) => void) => () => void} subscribe
 */

/**
 * @template T
 * @param {T} initial
 * @returns {Store<T>}
 */
export function store(initial) {
	let value = initial;
	/** @type {Set<(value: T) => void>} */
	const listeners = new Set();
	/** @param {T} next */
	function set(next) {
		if (Object.is(next, value)) {
			return;
		}
		value = next;
		[...listeners].forEach((listener) => listener(value));
	}
	return {
		get: () => value,
		set,
		update: (change) => set(change(value)),
		subscribe(listener) {
			listeners.add(listener);
			return () => listeners.delete(listener);
		},
	};
}

/**
 * A store that outlives the page, where the browser allows it.
 * @param {string} key
 * @param {string} initial
 * @param {string[]} allowed
 * @returns {Store<string>}
 */
export function storedChoice(key, initial, allowed) {
	let first = initial;
	try {
		const kept = localStorage.getItem(key);
		first = kept !== null && allowed.includes(kept) ? kept : initial;
	}
	catch {
		// no storage: the choice lasts as long as the page
	}
	const result = store(first);
	result.subscribe((value) => {
		try {
			localStorage.setItem(key, value);
		}
		catch {
			// as above
		}
	});
	return result;
}

/**
 * @template T
 * @param {Store<T>} source
 * @returns {T}
 */
export function useStore(source) {
	const [value, setValue] = useState(source.get());
	useEffect(() => {
		setValue(() => source.get());
		return source.subscribe((next) => setValue(() => next));
	}, [source]);
	return value;
}
