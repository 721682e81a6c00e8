import { html } from '../lib.js';
import { t } from '../text.js';
import { Empty, Screen } from '../parts/ui.js';

/** @param {{params: Record<string, string>}} props */
export default function Jobs({ params }) {
	return html`<${Screen} title=${t('screen.jobs')}><${Empty} title=${t('common.none')} /><//>`;
}
