import { store } from './store.js';

/** Which of the two windows of the frame is open: '', 'palette' or 'help'. */
export const overlay = store('');

export function openPalette() {
	overlay.set('palette');
}

export function openHelp() {
	overlay.set('help');
}

export function closeOverlay() {
	overlay.set('');
}
