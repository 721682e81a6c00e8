// What the tests do besides looking, through the program that has started them (Stage.java)

const url = process.env.STAGE;

async function ask(path, request) {
	const response = await fetch(url + path, { method: 'POST', body: JSON.stringify(request) });
	const { answer } = await response.json();
	if (!response.ok) {
		throw new Error(`${path} ${JSON.stringify(request)}: ${answer}`);
	}
	return answer;
}

/** Sends a command to Redis: `redis('ZCARD', key)`. */
export const redis = (...command) => ask('/redis', command.map(String));

/** The key of a queue, or of one of its parts. */
export const key = (queue, part) => `asynq:{${queue}}:${part}`;

/** Has Go do something. */
export const go = (cmd, args = {}) => ask('/go', { cmd, args });

export const redisGoes = () => ask('/redis-goes', {});
export const redisComes = () => ask('/redis-comes', {});
export const redisHangs = () => ask('/redis-hangs', {});
export const redisGoesOn = () => ask('/redis-goes-on', {});

let given = 0;

/** A queue that no other test knows and no server works on, with tasks of Go. */
export async function queueOf(count, { state = 'pending', type = 'test:work', payload = '{"a":1}' } = {}) {
	const queue = `test-${Date.now().toString(36)}-${++given}`;
	for (let n = 0; n < count; n++) {
		await go('enqueue', { queue, type, taskId: `t${n}`, payload: Buffer.from(payload).toString('base64'),
			...(state === 'scheduled' ? { processInMs: 3_600_000 } : {}) });
		if (state === 'archived') {
			await go('archive', { queue, id: `t${n}` });
		}
	}
	return queue;
}

/** Waits until something holds, and says at last what it was instead. */
export async function until(what, read, holds, patience = 30_000) {
	const end = Date.now() + patience;
	for (;;) {
		const seen = await read();
		if (holds(seen)) {
			return seen;
		}
		if (Date.now() > end) {
			throw new Error(`${what}: still ${JSON.stringify(seen)} after ${patience} ms`);
		}
		await new Promise((resolve) => setTimeout(resolve, 50));
	}
}
