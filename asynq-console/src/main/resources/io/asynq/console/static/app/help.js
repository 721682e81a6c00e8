import { t } from './format.js';
import { html } from './lib.js';
import { closeOverlay } from './overlays.js';
import { Dialog } from './parts/dialog.js';
import { screens } from './screens/registry.js';
import { letters } from './shortcuts.js';
import { useStore } from './store.js';

/** The keys, and the switch for those who do not want them. */
export function Help() {
	const on = useStore(letters);
	const rows = [
		['Ctrl K', t('help.palette')], ['?', t('help.help')], ['/', t('help.filter')], ['r', t('help.refresh')],
		['j k ↓ ↑', t('help.move')], ['x', t('help.select')], ['Enter', t('help.open')], ['[ ]', t('help.tabs')],
		...screens.filter((one) => one.key).map((one) => [`g ${one.key}`, t('screen.' + one.name)]),
	];
	return html`<${Dialog} title=${t('help.title')} onClose=${closeOverlay}>
		<dl class="keys">${rows.map(([keys, text]) =>
			html`<div key=${keys}><dt>${keys.split(' ').map((key) => html`<kbd>${key}</kbd>`)}</dt><dd>${text}</dd></div>`)}</dl>
		<label class="check"><input type="checkbox" checked=${on === 'on'}
			onChange=${(e) => letters.set(e.target.checked ? 'on' : 'off')} />
			<span>${t('help.letters')}</span></label>
	<//>`;
}
