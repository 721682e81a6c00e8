import { useLayoutEffect } from './lib.js';
import { storedChoice } from './store.js';
import { navigate } from './router.js';
import { openHelp, openPalette } from './overlays.js';

/** Letters alone act only while this is on: some people steer by voice and would set them off. */
export const letters = storedChoice('asynq.keys', 'on', ['on', 'off']);

/** @type {Map<string, (event: KeyboardEvent) => void>} */
const bound = new Map();
let after = '';
let timer = 0;

/**
 * Binds keys while a component is there, from the moment at which it is seen: an effect would come after the picture,
 * and a quick hand's first keys would be lost.
 * @param {Record<string, (event: KeyboardEvent) => void>} actions
 */
export function useKeys(actions) {
	useLayoutEffect(() => {
		const mine = Object.entries(actions);
		mine.forEach(([key, action]) => bound.set(key, action));
		return () => mine.forEach(([key, action]) => bound.get(key) === action && bound.delete(key));
	});
}

/** @param {{name: string, key?: string}[]} screens what g and a key opens */
export function startShortcuts(screens) {
	document.addEventListener('keydown', (event) => {
		if ((event.ctrlKey || event.metaKey) && !event.altKey && event.key.toLowerCase() === 'k') {
			event.preventDefault();
			openPalette();
			return;
		}
		const target = /** @type {HTMLElement} */ (event.target);
		if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented || letters.get() === 'off'
				|| target.closest('input:not([type=checkbox]), textarea, select, [contenteditable], dialog')) {
			return;
		}
		if (after === 'g') {
			after = '';
			const screen = screens.find((one) => one.key === event.key);
			if (screen) {
				event.preventDefault();
				navigate(screen.name);
			}
			return;
		}
		if (event.key === 'g') {
			after = 'g';
			clearTimeout(timer);
			timer = window.setTimeout(() => {
				after = '';
			}, 1200);
		}
		else if (event.key === '?') {
			event.preventDefault();
			openHelp();
		}
		else {
			const action = bound.get(event.key);
			if (action) {
				event.preventDefault();
				action(event);
			}
		}
	});
}
