// Made-up tasks of all kinds, hostile names among them
const STATES = ['active', 'pending', 'aggregating', 'scheduled', 'retry', 'archived', 'completed'];
const hostile = ['a/b#c%d?e<script>alert(1)</script>"\'', 'zeile\numbruch\ttab', '🦊 émoji ‮rtl', 'x'.repeat(1024)];
const names = ['critical', 'default', 'email', 'low', 'reports:nightly', 'webhooks', ...hostile];
const types = ['email:deliver', 'image:resize', 'report:build', 'webhook:post', 'payment:capture', '<img src=x onerror=alert(1)>'];
const errors = ['dial tcp 10.2.0.17:443: i/o timeout', 'HTTP 503 from https://api.example.com/v2/orders/99812', 'java.lang.IllegalStateException: card 4711 declined\n\tat io.example.Pay.capture(Pay.java:42)\n\tat io.example.Pay.run(Pay.java:17)', 'no handler for "report:build"'];
const random = ((seed) => () => (seed = (seed * 16807) % 2147483647) / 2147483647)(42);
const pick = (list) => list[Math.floor(random() * list.length)];
const uuid = () => 'xxxxxxxx-xxxx-4xxx-axxx-xxxxxxxxxxxx'.replace(/x/g, () => Math.floor(random() * 16).toString(16));
const iso = (seconds) => new Date(Date.now() + seconds * 1000).toISOString();
const queues = names.map((queue, i) => ({
	queue, paused: i === 3, hasConsumer: i !== 5, groups: i === 2 ? 4 : 0, processed: Math.floor(90000 / (i + 1)), failed: i === 8 ? 0 : Math.floor(700 / (i + 1)), latency: i < 2 ? `PT${(i + 1) * 1.4}S` : i === 5 ? 'PT26H3M' : 'PT0S',
	sizes: Object.fromEntries(STATES.map((state, s) => [state, i === 9 ? 0 : Math.floor([4, 1240, i === 2 ? 317 : 0, 61, 23, i === 1 ? 9880 : 88, 402][s] / (i + 1))])),
}));
queues.forEach((line) => {
	line.size = Object.values(line.sizes).reduce((a, b) => a + b, 0);
});
const known = new Map();
function line(queue, state, i) {
	const failed = state === 'retry' || state === 'archived';
	const id = i === 1 ? hostile[0] : i === 2 ? 'y'.repeat(1024) : uuid();
	const value = { id, queue, type: i === 3 ? types[5] : pick(types), state, retried: failed ? Math.floor(random() * 8) + 1 : 0, maxRetry: 25, lastError: failed ? pick(errors) : null, lastFailedAt: failed ? iso(-random() * 90000) : null,
		nextProcessAt: state === 'retry' || state === 'scheduled' ? iso(random() * 5000) : null, completedAt: state === 'completed' ? iso(-random() * 4000) : null, group: state === 'aggregating' ? 'tenant-7' : null, orphaned: state === 'active' && i === 0,
		startedAt: state === 'active' ? iso(-random() * 300) : null, deadline: state === 'active' ? iso(1500) : null, server: state === 'active' ? 'worker-2:814' : null, payloadPreview: i === 4 ? null : `{"userId":${Math.floor(random() * 90000)},"template":"welcome","locale":"de"}`.slice(0, 120), payloadSize: 64 + i, headers: { tenant: 'a' } };
	known.set(queue + '\n' + id, value);
	return value;
}
const lists = new Map();
function list(queue, state) {
	const key = queue + '\n' + state;
	if (!lists.has(key)) {
		const found = queues.find((one) => one.queue === queue);
		lists.set(key, Array.from({ length: Math.min(found ? found.sizes[state] : 0, 400) }, (_, i) => line(queue, state, i)));
	}
	return lists.get(key);
}
const points = [];
for (let i = 300; i > 0; i--) {
	points.push({ at: iso(-i * 2), processed: 40 + 12 * Math.sin(i / 17) + random() * 9, failed: 1 + random() * 2 + (i > 60 && i < 90 ? 9 : 0) });
}
function overview() {
	points.push({ at: iso(0), processed: 40 + random() * 14, failed: 1 + random() * 2 });
	if (points.length > 450) {
		points.shift();
	}
	queues[0].sizes.pending += Math.floor(random() * 5);
	queues[0].size = Object.values(queues[0].sizes).reduce((a, b) => a + b, 0);
	const totals = Object.fromEntries(STATES.map((state) => [state, queues.reduce((sum, one) => sum + one.sizes[state], 0)]));
	return { asOf: iso(0), totals, queueCount: queues.length, queues, next: null, unreadable: { 'broken-one': 'WRONGTYPE Operation against a key holding the wrong kind of value' }, servers: 3, schedulerEntries: 5, attention: [
		{ kind: 'queue-without-consumer', severity: 'error', queue: 'webhooks', count: 206, since: iso(-93780), text: '206 tasks wait in "webhooks" and no live server takes from it', screen: { name: 'queue', params: { q: 'webhooks', state: 'pending' } } },
		{ kind: 'type-without-handler', severity: 'error', type: 'report:build', count: 12, since: iso(-4000), text: 'Tasks of type "report:build" fail: no handler on any server', screen: { name: 'failures', params: {} } },
		{ kind: 'paused-long', severity: 'warning', queue: 'low', since: iso(-864000), text: '"low" has been paused for 10 days', screen: { name: 'queue', params: { q: 'low' } } },
		{ kind: 'archive-near-cap', severity: 'warning', queue: 'default', count: 9880, text: 'The archive of "default" holds 9,880 of 10,000 tasks: the oldest will be dropped', screen: { name: 'queue', params: { q: 'default', state: 'archived' } } },
		{ kind: 'clock-skew', severity: 'info', text: 'The clock of worker-2 is 1.8 s behind that of Redis', screen: { name: 'servers', params: {} } },
	], newestFailures: [...list('critical', 'retry').slice(0, 4), ...list('default', 'archived').slice(0, 4)], rates: { points, windowSeconds: 900 }, redis: { usedMemory: 734003200, maxMemory: 2147483648, version: '8.2.1' } };
}
function queue(q) {
	const found = queues.find((one) => one.queue === q);
	return found && { asOf: iso(0), pausedSince: found.paused ? iso(-864000) : null, info: { ...found, aggregatingAge: 'PT0S', today: { processed: found.processed, failed: found.failed }, total: { processed: found.processed * 97, failed: found.failed * 60 }, timestamp: iso(0) }, memoryUsage: 1830000, memoryUsageExact: false,
		consumers: found.hasConsumer ? [{ server: 's1', host: 'worker-1', pid: 71, weight: 6, concurrency: 20, busy: 13 }, { server: 's2', host: 'worker-2', pid: 814, weight: 3, concurrency: 10, busy: 10 }] : [],
		retriesAhead: Array.from({ length: 30 }, (_, minute) => ({ minute, count: minute % 7 === 0 ? 0 : Math.floor((found.sizes.retry * (1 + Math.sin(minute))) / 8) })), retriesAheadExact: true, place: null };
}
const problem = (status, code, detail) => [status, { title: 'Not done', status, code, detail }];
const jobs = [];
export function answer(method, name, params, body) {
	const q = params.get('q');
	if (method === 'POST') {
		if (name === 'tasks/preview') {
			const size = body.failures ? 12 : list(body.q ?? 'default', body.state || 'retry').length;
			return [200, { count: body.filter ? Math.ceil(size / 3) : size, exact: !body.filter || size < 300, scanned: size, total: size }];
		}
		if (name === 'jobs/start') {
			const job = { id: 'j' + (jobs.length + 1), action: body.action, q: body.q, state: 'running', done: 0, refused: 0, scanned: 0, total: body.expectedCount, startedAt: iso(0), endedAt: null, by: 'ada', refusals: [], failures: body.failures || [] };
			jobs.unshift(job);
			return [202, { job }];
		}
		if (name === 'jobs/stop') {
			jobs.find((one) => one.id === body.id).state = 'stopped';
			return [200, { job: jobs.find((one) => one.id === body.id) }];
		}
		if (name === 'queue/pause' || name === 'queue/resume') {
			queues.find((one) => one.queue === body.q).paused = name === 'queue/pause';
			return [200, { done: 1, failed: [], remaining: 0 }];
		}
		if (name === 'task/enqueue') {
			return body.type === 'fail' ? problem(409, 'duplicate', 'A task with this id is already in the queue "default": leave the id empty or choose another') : [200, { task: { ...list('default', 'pending')[0], queue: body.q } }];
		}
		return [200, { done: (body.ids || [1]).length, failed: [], remaining: 0 }];
	}
	switch (name) {
		case 'overview': return [200, overview()];
		case 'queues': return [200, { asOf: iso(0), entries: queues.map((one) => ({ ...one, today: { processed: one.processed, failed: one.failed } })), next: null }];
		case 'history': return [200, { asOf: iso(0), days: Array.from({ length: Number(params.get('days') || 7) }, (_, i) => ({ date: iso(-i * 86400).slice(0, 10), processed: Math.floor(40000 + random() * 50000), failed: Math.floor(random() * 900) })) }];
		case 'queue': return queue(q) ? [200, queue(q)] : problem(404, 'not-found', `There is no queue "${q}"`);
		case 'counts': return queue(q) ? [200, counts(q)] : problem(404, 'not-found', `There is no queue "${q}"`);
		case 'tasks': {
			const filter = params.get('filter');
			if (filter && !/^\s*(type|id|error|payload|header|older|newer):/.test(filter)) {
				return problem(400, 'filter', `"${filter}" is no filter: write type:, id:, error:, payload:, header:, older: or newer: before the value`);
			}
			const all = list(q, params.get('state')).filter((_, i) => !filter || i % 3 === 0);
			const from = Number(params.get('cursor') || 0);
			const size = Number(params.get('size') || 30);
			const total = (queues.find((one) => one.queue === q) || { sizes: {} }).sizes[params.get('state')] || 0;
			return [200, { asOf: iso(0), entries: all.slice(from, from + size), next: from + size < all.length ? String(from + size) : null, scanned: filter ? Math.min(300, total) : Math.min(from + size, total), total, complete: from + size >= all.length }];
		}
		case 'task': {
			list(q, 'retry'); list(q, 'active'); list(q, 'scheduled'); list(q, 'archived'); list(q, 'completed'); list(q, 'pending');
			const found = known.get(q + '\n' + params.get('id'));
			if (!found) {
				return problem(404, 'not-found', 'There is no such task in this queue');
			}
			const text = JSON.stringify({ userId: 4711, template: 'welcome', big: 12345678901234567890n.toString(), html: '<b onclick=alert(1)>hi</b>', items: [1, 2, { a: null, b: [true, false] }], note: 'ünïcode 🦊' });
			return [200, { asOf: iso(0), task: { ...found, timeout: 'PT30M', retention: found.state === 'completed' ? 'PT24H' : 'PT0S', deadline: found.deadline }, payload: { shown: true, format: 'json', text, size: text.length, truncated: false }, result: found.state === 'completed' ? { shown: true, format: 'hex', text: '00ff10203040', size: 6, truncated: false } : null,
				headers: { tenant: 'a', traceparent: '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01' }, uniqueLock: { key: 'asynq:{default}:unique:email:deliver:9f86d081884c7d659a2feaa0c55ad015', ttl: 'PT42M10S' }, lease: found.state === 'active' ? { expiresAt: iso(22), valid: !found.orphaned } : null,
				worker: found.state === 'active' ? { server: 's2', host: 'worker-2', pid: 814, startedAt: found.startedAt, deadline: found.deadline } : null, commands: { cli: `asynq task run -q ${q.slice(0, 40)} -i ${found.id}`.slice(0, 300), curl: `curl -X POST http://localhost:8080/asynq/api/v1/tasks/run -d '{"q":"${q.slice(0, 20)}"}'` },
				actions: { active: ['cancel', 'clone'], pending: ['archive', 'delete', 'clone'], scheduled: ['run', 'archive', 'delete', 'edit-payload', 'clone'], retry: ['run', 'archive', 'delete', 'clone'], archived: ['run', 'delete', 'clone'], completed: ['delete', 'clone'], aggregating: ['run', 'archive', 'delete', 'clone'] }[found.state] }];
		}
		case 'failures': {
			const of = params.get('queue');
			const samples = list(of || 'default', 'archived').slice(0, 3);
			return [200, { asOf: iso(0), groups: errors.map((error, i) => ({ key: 'k' + i, type: types[i], signature: error.split('\n')[0].replace(/\d+(\.\d+)*/g, '{number}'), count: Math.ceil(900 / (i * i + 1)), exact: i !== 0, queues: of ? { [of]: 3 } : { default: 8, critical: 2 }, states: { retry: 4 * (4 - i), archived: 30 * (4 - i) }, earliestLastFailure: iso(-90000), latestLastFailure: iso(-50 * i - 5), found: !params.get('text') || `${types[i]} ${error}`.includes(params.get('text')), lastHour: Array.from({ length: 12 }, (_, k) => Math.floor(random() * 9 * (k > 6 ? 2 : 1) / (i + 1))), samples })), scanned: 10000, total: 12003, complete: false, next: 'x' }];
		}
		case 'failures/tasks': return [200, { asOf: iso(0), key: params.get('failure'), type: types[0], signature: errors[0], entries: list('default', 'archived').slice(0, 50), next: null, scanned: 900, total: 900, complete: true }];
		case 'groups': return [200, { asOf: iso(0), entries: q === 'email' ? [{ name: 'tenant-7', size: 311 }, { name: 'tenant-12', size: 4 }, { name: hostile[0], size: 1 }, { name: 'z'.repeat(1024), size: 1 }] : [], next: null }];
		case 'search': {
			const text = params.get('text');
			return [200, { queues: names.filter((one) => one.includes(text)), tasks: [...known.values()].filter((one) => one.id === text), types: types.filter((one) => one.includes(text)) }];
		}
		case 'jobs': return [200, { jobs }];
		case 'job': return [200, jobs.find((one) => one.id === params.get('id'))];
		default: return problem(404, 'not-found', `No fixture for ${name}`);
	}
}

/** @param {string} q */
function counts(q) {
	const { sizes, size, groups, latency, paused, processed, failed } = queue(q).info;
	return { asOf: iso(0), queue: q, sizes, size, groups, latency, paused, processed, failed };
}

export function subscribe(params, send) {
	const q = params.get('q');
	const tick = () => {
		send('overview', overview());
		if (q && queue(q)) {
			send('queue', counts(q));
		}
		for (const job of jobs.filter((one) => one.state === 'running')) {
			job.done = Math.min(job.total, job.done + 40);
			job.scanned = job.done;
			job.state = job.done === job.total ? 'done' : 'running';
			job.endedAt = job.state === 'done' ? iso(0) : null;
			send('job', job);
		}
	};
	tick();
	const timer = setInterval(tick, 2000);
	return () => clearInterval(timer);
}
