package io.asynq.internal.redis;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.function.IntConsumer;

import io.asynq.benchmarks.peer.Payload;
import redis.clients.jedis.Jedis;

/** The loop of one connection: takes 64 tasks, completes 64 tasks. */
final class CeilingLoop {

	private static final byte[] TASKS = Text.utf8("64");

	private static final byte[] BYTES = Text.utf8("4194304");

	/** As long as the lease of a server. */
	private static final byte[] FENCE = Text.utf8("ceiling-loop.100");

	private static final byte[] LEASE = Text.utf8("30000");

	/**
	 * In a message: the tag and length of the type and its five letters, the tag and
	 * length of the payload.
	 */
	private static final int PAYLOAD_OFFSET = 9;

	private final Jedis jedis;

	private final IntConsumer handler;

	private final byte[] dequeue;

	private final byte[] done;

	private final byte[] prefix;

	private final List<byte[]> dequeueKeys;

	private final List<byte[]> doneKeys;

	CeilingLoop(Jedis jedis, String queue, IntConsumer handler) {
		this.jedis = jedis;
		this.handler = handler;
		Keys keys = Keys.of(queue);
		this.dequeue = load(jedis, LuaScript.DEQUEUE);
		this.done = load(jedis, LuaScript.DONE);
		this.prefix = Text.utf8(keys.taskPrefix());
		this.dequeueKeys = bytes(keys.pending(), keys.paused(), keys.active(), keys.lease(), keys.voided("none"),
				keys.cancelled());
		this.doneKeys = bytes(keys.active(), keys.lease(), keys.processedTotal());
	}

	static byte[] load(Jedis jedis, LuaScript script) {
		jedis.scriptLoad(script.text());
		return script.sha1();
	}

	void workOff() {
		List<?> answer = (List<?>) this.jedis.evalsha(this.dequeue, this.dequeueKeys,
				List.of(Text.utf8(""), this.prefix, TASKS, BYTES, FENCE, LEASE, TASKS));
		List<?> tasks = (List<?>) answer.get(1);
		if (tasks.isEmpty()) {
			LockSupport.parkNanos(Duration.ofMillis(1).toNanos());
			return;
		}
		List<byte[]> args = new ArrayList<>(4 + 3 * tasks.size() / 2);
		args.add(this.prefix);
		args.add(Text.utf8(String.valueOf(Duration.ofDays(90).toSeconds())));
		args.add(Text.utf8(String.valueOf(Long.MAX_VALUE)));
		args.add(Text.utf8(""));
		for (int i = 0; i < tasks.size(); i += 2) {
			byte[] message = (byte[]) tasks.get(i + 1);
			this.handler
				.accept(Payload.number(Arrays.copyOfRange(message, PAYLOAD_OFFSET, PAYLOAD_OFFSET + Long.BYTES)));
			args.add((byte[]) tasks.get(i));
			args.add(FENCE);
			args.add(new byte[0]);
		}
		this.jedis.evalsha(this.done, this.doneKeys, args);
	}

	private static List<byte[]> bytes(String... keys) {
		return Arrays.stream(keys).map(Text::utf8).toList();
	}

}
