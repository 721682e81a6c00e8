import { apiUrl } from '../api.js';
import { bytes, t } from '../format.js';
import { html, useEffect, useState } from '../lib.js';
import { Choice, Copy, Empty, Icon, Panel } from './ui.js';

/** Up to here the browser fetches a content again to show it in another way. */
const LIMIT = 64 * 1024;
/** Up to here JSON is coloured; more would be thousands of elements. */
const COLOURED = 32 * 1024;

/**
 * The bytes of a payload or result as the download has them.
 * @param {string} q
 * @param {string} id
 * @param {string} part
 * @returns {Promise<Uint8Array>}
 */
export async function contentBytes(q, id, part) {
	const response = await fetch(apiUrl('payload', { q, id, part }), { credentials: 'same-origin', cache: 'no-store' });
	if (!response.ok) {
		throw new Error(t('problem.status', { status: response.status }));
	}
	return new Uint8Array(await response.arrayBuffer());
}

/**
 * Bytes as text, `null` if they are none.
 * @param {Uint8Array} content
 */
export function asText(content) {
	try {
		return new TextDecoder('utf-8', { fatal: true }).decode(content);
	}
	catch {
		return null;
	}
}

/** @param {Uint8Array} content */
export function asBase64(content) {
	let text = '';
	content.forEach((byte) => {
		text += String.fromCharCode(byte);
	});
	return btoa(text);
}

/** @param {Uint8Array} content */
function asHex(content) {
	const lines = [];
	for (let at = 0; at < content.length; at += 16) {
		const part = [...content.subarray(at, at + 16)];
		lines.push(at.toString(16).padStart(8, '0') + '  ' + part.map((byte) => byte.toString(16).padStart(2, '0')).join(' ').padEnd(47)
			+ '  ' + part.map((byte) => (byte >= 32 && byte < 127 ? String.fromCharCode(byte) : '.')).join(''));
	}
	return lines.join('\n');
}

/**
 * A payload or result: as the server shows it, as text or in hex, and as a download.
 * @param {{q: string, id: string, part: 'payload' | 'result', content: any}} props
 */
export function Content({ q, id, part, content }) {
	const own = content ? content.format || 'text' : 'text';
	const [view, setView] = useState(own);
	const [raw, setRaw] = useState(/** @type {Uint8Array | null} */ (null));
	const [error, setError] = useState('');
	const title = t('task.' + part);
	const small = content && content.shown && content.size <= LIMIT;
	const shown = view === own || !small ? own : view;
	useEffect(() => {
		if (shown !== own && !raw) {
			contentBytes(q, id, part).then(setRaw, (e) => setError(e.message));
		}
	}, [shown]);
	useEffect(() => setRaw(null), [content && content.text]);
	if (!content || (content.shown && content.size === 0)) {
		return html`<${Panel} title=${title}><p class="muted">${t(part === 'payload' ? 'task.noPayload' : 'task.noResult')}</p><//>`;
	}
	if (!content.shown) {
		return html`<${Panel} title=${title} aside=${bytes(content.size)}><${Empty} title=${t('task.hiddenPayload')}>
			${content.reason === 'sanitizer-failed' ? t('task.sanitizerFailed') : t('task.hiddenWhy')}<//><//>`;
	}
	const views = [...new Set([own, 'text', 'hex'])];
	const text = shown === own ? content.text : !raw ? '' : shown === 'hex' ? asHex(raw) : asText(raw) === null ? t('task.notText')
		: asText(raw);
	return html`<${Panel} flush title=${title} aside=${html`<span class="row"><span>${bytes(content.size)}</span>
		${small && html`<${Choice} label=${t('task.views')} value=${shown} onChange=${setView}
			options=${views.map((value) => ({ value, text: t('task.' + value) }))} />`}
		<${Copy} text=${text || ''} /><a class="button button-quiet button-small" href=${apiUrl('payload', { q, id, part })} download
			title=${t('task.download')} aria-label=${t('task.download')}><${Icon} name="download" /></a></span>`}>
		${error && html`<p class="pad error-text" role="alert">${error}</p>`}
		<pre class="content" tabindex="0" aria-label=${title}>${shown === 'json' && text.length <= COLOURED ? coloured(text) : text}</pre>
		${content.truncated && html`<p class="pad muted">${t('task.truncated', { shown: bytes(LIMIT), size: bytes(content.size) })}</p>`}
	<//>`;
}

const TOKEN = /("(?:[^"\\]|\\.)*")(\s*:)?|(-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null)/g;

/**
 * JSON with its keys and values told apart. The text itself is not touched: no number is read and written again.
 * @param {string} text
 */
function coloured(text) {
	const parts = [];
	let at = 0;
	for (const found of text.matchAll(TOKEN)) {
		parts.push(text.slice(at, found.index));
		parts.push(html`<span class=${found[2] ? 'j-key' : found[1] ? 'j-text' : 'j-value'}>${found[1] || found[3]}</span>`);
		parts.push(found[2] || '');
		at = /** @type {number} */ (found.index) + found[0].length;
	}
	parts.push(text.slice(at));
	return parts;
}
