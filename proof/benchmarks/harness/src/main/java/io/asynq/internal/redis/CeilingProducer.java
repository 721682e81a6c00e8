package io.asynq.internal.redis;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

import io.asynq.benchmarks.peer.Producer;
import io.asynq.benchmarks.peer.Settings;
import redis.clients.jedis.Jedis;

final class CeilingProducer implements Producer {

	private static final byte[] NOTHING = new byte[0];

	private final CeilingIds ids = new CeilingIds();

	private final Queue<Jedis> opened = new ConcurrentLinkedQueue<>();

	private final ThreadLocal<Jedis> connection;

	private final Keys keys;

	private final String queue;

	private final byte[] enqueue;

	private final byte[] enqueueBatch;

	CeilingProducer(Settings settings) {
		this.connection = ThreadLocal.withInitial(() -> {
			Jedis jedis = new Jedis(settings.host(), settings.port(), CeilingPeer.TIMEOUT_MILLIS);
			this.opened.add(jedis);
			return jedis;
		});
		this.queue = settings.firstQueue();
		this.keys = Keys.of(this.queue);
		Jedis jedis = this.connection.get();
		jedis.sadd(Keys.QUEUES, this.queue);
		this.enqueue = CeilingLoop.load(jedis, LuaScript.ENQUEUE);
		this.enqueueBatch = CeilingLoop.load(jedis, LuaScript.ENQUEUE_PENDING_BATCH);
	}

	@Override
	public void one(String payload) {
		String id = this.ids.next();
		check((Long) this.connection.get()
			.evalsha(this.enqueue, List.of(Text.utf8(this.keys.task(id)), Text.utf8(this.keys.pending())),
					List.of(Text.utf8(id), message(id, payload), nowNanos())));
	}

	@Override
	public void many(List<String> payloads) {
		List<byte[]> args = new ArrayList<>(2 + 2 * payloads.size());
		args.add(Text.utf8(this.keys.taskPrefix()));
		args.add(nowNanos());
		for (String payload : payloads) {
			String id = this.ids.next();
			args.add(Text.utf8(id));
			args.add(message(id, payload));
		}
		List<?> codes = (List<?>) this.connection.get()
			.evalsha(this.enqueueBatch, List.of(Text.utf8(this.keys.pending())), args);
		codes.forEach((code) -> check((Long) code));
	}

	@Override
	public void close() {
		this.opened.forEach(Jedis::close);
	}

	private byte[] message(String id, String payload) {
		return TaskMessageCodec.encode(TaskMessage.builder("bench", id, this.queue)
			.payload(payload.getBytes(StandardCharsets.US_ASCII))
			.maxRetry(25)
			.timeoutSeconds(1800)
			.build());
	}

	private static byte[] nowNanos() {
		return Text.utf8(String.valueOf(Text.nanos(Instant.now())));
	}

	private static void check(long code) {
		if (code != 1) {
			throw new IllegalStateException("Redis answered " + code);
		}
	}

}
