import { apiUrl, connection, get } from './api.js';
import { config } from './config.js';
import { learnClock } from './format.js';
import { store } from './store.js';

/**
 * How numbers arrive: `connecting`, `live` (pushed), `polling`, `paused` (hidden tab) or `away`, and when the last did.
 */
export const liveState = store({ mode: 'connecting', at: 0 });
/** @type {import('./store.js').Store<any>} */
export const liveOverview = store(null);
/** @type {import('./store.js').Store<any>} the queue that is open: its counts */
export const liveQueue = store(null);
/** @type {import('./store.js').Store<any>} the background job that last moved */
export const liveJob = store(null);

const POLL_MILLIS = 5000;
const RETRY_MILLIS = 3000;

/** @type {EventSource | null} */
let source = null;
let queue = '';
let timer = 0;
let failures = 0;
let started = false;

/** @param {string} mode */
function mode(mode) {
	liveState.update((old) => (old.mode === mode ? old : { ...old, mode }));
}

/**
 * @param {string} name
 * @param {any} value
 */
function arrived(name, value) {
	learnClock(value.asOf);
	liveState.update((old) => ({ ...old, at: Date.now() }));
	(name === 'overview' ? liveOverview : name === 'queue' ? liveQueue : liveJob).set(value);
}

/**
 * Says which queue's counts are wanted too: one stream per tab serves both.
 * @param {string} name
 */
export function watchQueue(name) {
	if (name !== queue) {
		queue = name;
		liveQueue.set(null);
		if (started && !document.hidden) {
			connect();
		}
	}
}

export function startLive() {
	started = true;
	document.addEventListener('visibilitychange', () => {
		if (document.hidden) {
			close();
			mode('paused');
		}
		else {
			connect();
		}
	});
	addEventListener('pagehide', close);
	connection.subscribe(({ state }) => {
		if (state === 'ok' && liveState.get().mode === 'away') {
			connect();
		}
	});
	connect();
}

/** Tries again at once, after somebody asked for it. */
export function reconnect() {
	failures = 0;
	return poll().then(connect);
}

function close() {
	clearTimeout(timer);
	if (source) {
		source.close();
		source = null;
	}
}

function connect() {
	close();
	if (document.hidden) {
		mode('paused');
		return;
	}
	if (typeof EventSource === 'undefined' || failures >= 3) {
		fallBack();
		return;
	}
	const own = new EventSource(apiUrl('stream', { q: queue }));
	source = own;
	for (const name of ['overview', 'queue', 'job']) {
		own.addEventListener(name, (event) => {
			failures = 0;
			mode('live');
			arrived(name, JSON.parse(/** @type {MessageEvent} */ (event).data));
			// An open stream outlives its session, so it says nothing about one that has ended
			if (name !== 'job' && !['ok', 'session-ended'].includes(connection.get().state)) {
				connection.set({ state: 'ok', detail: '' });
			}
		});
	}
	own.addEventListener('away', (event) => {
		failures = 0;
		connection.set({ state: 'redis-away', detail: JSON.parse(/** @type {MessageEvent} */ (event).data).error });
	});
	own.addEventListener('bye', () => {
		close();
		timer = window.setTimeout(connect, RETRY_MILLIS);
	});
	own.onerror = () => {
		if (source !== own) {
			return;
		}
		close();
		failures++;
		// The stream does not say why it ended; a read does, and shows it
		poll().finally(() => {
			timer = window.setTimeout(connect, RETRY_MILLIS);
		});
	};
}

function fallBack() {
	const away = liveState.get().mode === 'away';
	poll().finally(() => {
		clearTimeout(timer);
		// The stream gets another chance now and then, and at once when the server has come back
		if (++failures > 15 || (away && liveState.get().mode !== 'away')) {
			failures = 0;
		}
		timer = window.setTimeout(connect, POLL_MILLIS);
	});
}

async function poll() {
	try {
		const wanted = queue;
		arrived('overview', await get('overview'));
		if (wanted) {
			const answer = await get('counts', { q: wanted }).catch((e) => {
				// A queue that is not there, or no longer
				if (e.status !== 404) {
					throw e;
				}
			});
			if (answer && wanted === queue) {
				arrived('queue', answer);
			}
		}
		mode('polling');
	}
	catch {
		mode('away');
	}
}

export const refreshMillis = () => Math.max(1000, config.refreshMillis);
