import { html } from '../lib.js';
import { t } from '../text.js';
import { Empty, Screen } from '../parts/ui.js';

/** @param {{params: Record<string, string>}} props */
export default function Doctor({ params }) {
	return html`<${Screen} title=${t('screen.doctor')}><${Empty} title=${t('common.none')} /><//>`;
}
