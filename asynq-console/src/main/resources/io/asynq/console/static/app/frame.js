import { connection, outdated } from './api.js';
import { config, may } from './config.js';
import { ago, compact, duration, t, useNow, zone, zoneLabel } from './format.js';
import { Help } from './help.js';
import { html, useEffect, useState } from './lib.js';
import { liveOverview, liveState, reconnect } from './live.js';
import { openHelp, openPalette, overlay } from './overlays.js';
import { Palette } from './palette.js';
import { Dialogs } from './parts/dialog.js';
import { Badge, Button, Choice, Empty, Failed, Icon, Skeleton, Toasts } from './parts/ui.js';
import { href, route } from './router.js';
import { groups, screens } from './screens/registry.js';
import { storedChoice, useStore } from './store.js';

export const theme = storedChoice('asynq.theme', 'system', ['system', 'light', 'dark']);
theme.subscribe((value) => {
	if (value === 'system') {
		delete document.documentElement.dataset.theme;
	}
	else {
		document.documentElement.dataset.theme = value;
	}
});

const THEMES = [['light', 'sun', 'frame.themeLight'], ['dark', 'moon', 'frame.themeDark'], ['system', 'system', 'frame.themeSystem']];

export function Frame() {
	const current = useStore(route);
	const open = useStore(overlay);
	const [menu, setMenu] = useState(false);
	useEffect(() => setMenu(false), [current]);
	return html`<div class="frame">
		<button type="button" class="skip" onClick=${() => /** @type {HTMLElement} */ (document.getElementById('main')).focus()}>
			${t('frame.skip')}</button>
		<${Navigation} current=${current.name} open=${menu} />
		${menu && html`<div class="scrim" onClick=${() => setMenu(false)}></div>`}
		<div class="page">
			<${Header} toggleMenu=${() => setMenu(!menu)} menu=${menu} />
			<${Banner} />
			<main id="main" tabindex="-1"><${Body} current=${current} /></main>
		</div>
		${open === 'palette' && html`<${Palette} />`}
		${open === 'help' && html`<${Help} />`}
		<${Dialogs} />
		<${Toasts} />
	</div>`;
}

/** @param {{current: string, open: boolean}} props */
function Navigation({ current, open }) {
	const overview = useStore(liveOverview);
	const totals = (overview && overview.totals) || {};
	/** @type {Record<string, any>} */
	const notes = {
		queues: overview ? overview.queueCount : '',
		failures: (totals.retry || 0) - ((overview && overview.waitingForLimit) || 0) + (totals.archived || 0) || '',
		servers: overview ? overview.servers : '',
		periodic: (overview && overview.schedulerEntries) || '',
	};
	const shown = current === 'queue' || current === 'task' ? 'queues' : current;
	return html`<nav id="nav" class=${open ? 'nav nav-open' : 'nav'} aria-label=${t('frame.navigation')}>
		<a class="brand" href="./"><span class="brand-mark" aria-hidden="true"><i></i><i></i><i></i></span>
			<span>${config.title || 'asynq'}</span></a>
		${groups.map((group) => html`<div key=${group} class="nav-group"><h2>${t('frame.' + group)}</h2>
			<ul>${screens.filter((one) => one.group === group)
				.map((one) => html`<li key=${one.name}><a href=${href(one.name)} aria-current=${one.name === shown ? 'page' : undefined}>
				<${Icon} name=${one.icon || ''} /><span>${t('screen.' + one.name)}</span>
					${notes[one.name] !== undefined && notes[one.name] !== ''
					&& html`<span class="nav-note">${compact(notes[one.name])}</span>`}</a></li>`)}</ul></div>`)}
		<div class="nav-foot">
			${config.principal && html`<div class="nav-who" title=${config.principal}>${config.principal}</div>`}
			<div>${may('admin') ? t('frame.admin') : may('act') ? t('frame.operator') : t('frame.readOnly')}</div>
			<div class="muted">asynq ${config.version || ''}</div>
		</div>
	</nav>`;
}

/** @param {{toggleMenu: () => void, menu: boolean}} props */
function Header({ toggleMenu, menu }) {
	const where = useStore(zone);
	const look = useStore(theme);
	return html`<header class="top">
		<button type="button" class="button button-quiet menu-button" aria-expanded=${String(menu)} aria-controls="nav"
			aria-label=${t('frame.menu')} onClick=${toggleMenu}><${Icon} name="menu" /></button>
		<button type="button" class="jump" onClick=${openPalette} aria-keyshortcuts="Control+K"><${Icon} name="search" />
			<span>${t('frame.jump')}</span><kbd>Ctrl K</kbd></button>
		<div class="top-right">
			${!may('act') && html`<${Badge} title=${t('frame.readOnlyHint')}>${t('frame.readOnly')}<//>`}
			<${Live} />
			<${Choice} label=${t('frame.zone')} value=${where} onChange=${zone.set}
				options=${[{ value: 'utc', text: 'UTC', title: t('frame.zoneUtc') },
		{ value: 'local', text: where === 'local' ? html`${t('frame.local')} <small>${zoneLabel()}</small>` : t('frame.local'),
			title: t('frame.zoneLocal') }]} />
			<${Choice} label=${t('frame.theme')} value=${look} onChange=${theme.set} options=${THEMES.map(([value, icon, text]) => ({ value,
		title: t(text), text: html`<${Icon} name=${icon} /><span class="hidden">${t(text)}</span>` }))} />
			<${Button} kind="quiet" class="help-button" label=${t('help.title')} title=${t('help.title')} onClick=${openHelp}>
				<${Icon} name="keyboard" /><//>
		</div>
	</header>`;
}

/** Whether numbers arrive, how, and when the last did. */
function Live() {
	const { mode, at } = useStore(liveState);
	const now = useNow();
	const seconds = Math.max(0, Math.round((Date.now() - at) / 1000));
	const stale = at > 0 && seconds > 15 && mode !== 'paused';
	return html`<span class=${`live live-${stale ? 'away' : mode}`} title=${t(`live.${mode}Hint`)}><i></i><span class="live-mode">
		${t('live.' + mode)}</span>${at > 0
		&& html`<span class="live-age" data-now=${now > 0 ? '' : undefined}>
			${seconds < 2 ? t('time.now') : t('time.ago', { duration: duration(seconds) })}</span>`}</span>`;
}

/** What stands in the way of reading or writing. Forms stay as they are. */
function Banner() {
	const { state, detail } = useStore(connection);
	const old = useStore(outdated);
	const [since, setSince] = useState(0);
	const now = useNow();
	useEffect(() => {
		setSince(state === 'ok' ? 0 : Date.now());
	}, [state]);
	if (state === 'ok') {
		return old && html`<div class="banner banner-outdated" role="status">
			<div><strong>${t('banner.outdated')}</strong> ${t('banner.outdatedHint')}</div>
			<${Button} onClick=${() => location.reload()}>${t('banner.load')}<//></div>`;
	}
	return html`<div class=${`banner banner-${state}`} role="alert">
		<div><strong>${t(`banner.${state}`)}</strong> ${t(`banner.${state}Hint`)}
			${detail && html`<div class="banner-detail">${detail.slice(0, 300)}</div>`}</div>
		<div class="banner-actions">${since > 0 && html`<span class="muted">
			${ago(since, since + Math.max(0, Date.now() - since) + 0 * now)}</span>`}
			${state === 'session-ended' && html`<a class="button" href="./" target="_blank" rel="noopener">${t('banner.signIn')}</a>`}
			<${Button} onClick=${reconnect}>${t('common.tryAgain')}<//></div>
	</div>`;
}

/** @type {Map<string, any>} */
const loaded = new Map();

/** @param {{current: import('./router.js').Route}} props */
function Body({ current }) {
	const entry = screens.find((one) => one.name === current.name);
	const [, redraw] = useState(0);
	const [error, setError] = useState(/** @type {any} */ (null));
	useEffect(() => {
		setError(null);
		const name = entry ? t('screen.' + entry.name) : t('frame.notFound');
		document.title = `${current.params.id || current.params.q || name} · ${config.title || 'asynq'}`.slice(0, 200);
		if (entry && !loaded.has(entry.name)) {
			entry.load().then((module) => {
				loaded.set(entry.name, module.default);
				redraw((n) => n + 1);
			}, () => setError(new Error(t('problem.file'))));
		}
	}, [current.name, current.params.q, current.params.id]);
	if (!entry) {
		return html`<${Empty} title=${t('frame.notFound')}><a href="./">${t('frame.toOverview')}</a><//>`;
	}
	if (error) {
		return html`<${Failed} error=${error} retry=${() => location.reload()} />`;
	}
	const Found = loaded.get(entry.name);
	// Another queue or task is another screen: nothing selected or typed for one is kept for the other
	const key = [entry.name, current.params.q, current.name === 'task' ? current.params.id : ''].join('\n');
	return Found ? html`<${Found} key=${key} params=${current.params} />` : html`<${Skeleton} lines=${8} />`;
}
