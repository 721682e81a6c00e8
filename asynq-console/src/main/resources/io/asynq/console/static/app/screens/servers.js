import { html } from '../lib.js';
import { t } from '../text.js';
import { Empty, Screen } from '../parts/ui.js';

/** @param {{params: Record<string, string>}} props */
export default function Servers({ params }) {
	return html`<${Screen} title=${t('screen.servers')}><${Empty} title=${t('common.none')} /><//>`;
}
