package io.asynq.benchmarks.measure;

import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.concurrent.locks.LockSupport;
import java.util.function.IntFunction;

import io.asynq.Task;
import io.asynq.TaskOptions;
import io.asynq.benchmarks.peer.Payload;
import io.asynq.benchmarks.process.RedisProcess;
import io.asynq.broker.redis.RedisBroker;
import io.asynq.client.AsynqClient;
import io.asynq.client.ClientOptions;
import io.asynq.client.EnqueueAttempt;
import redis.clients.jedis.Jedis;

import org.springframework.data.redis.connection.RedisStandaloneConfiguration;
import org.springframework.data.redis.connection.jedis.JedisConnectionFactory;

/**
 * Fills asynq's queues, and looks whether they were worked off.
 */
public final class Backlog implements AutoCloseable {

	/** The queue of everything. */
	public static final String QUEUE = "bench";

	private static final int CHUNK = 4096;

	private static final Duration PATIENCE = Duration.ofMinutes(3);

	private final RedisProcess redis;

	private final JedisConnectionFactory connections;

	private final AsynqClient client;

	public Backlog(RedisProcess redis) {
		this.redis = redis;
		this.connections = new JedisConnectionFactory(new RedisStandaloneConfiguration("127.0.0.1", redis.port()));
		this.connections.afterPropertiesSet();
		this.connections.start();
		RedisBroker broker = new RedisBroker(this.connections, Clock.systemUTC(), RedisBroker.DEFAULT_LEASE_DURATION,
				(event) -> {
				});
		this.client = AsynqClient.create(broker, ClientOptions.builder().clock(Clock.systemUTC()).build());
	}

	/**
	 * Empties Redis, statistics included.
	 */
	public void clear() {
		this.redis.jedis().flushAll();
		this.redis.jedis().configResetStat();
	}

	/**
	 * Enqueues the tasks 0 to n − 1.
	 * @param tasks how many
	 */
	public void fill(int tasks) {
		for (int first = 0; first < tasks; first += CHUNK) {
			List<Task> chunk = new ArrayList<>(CHUNK);
			for (int i = first; i < Math.min(first + CHUNK, tasks); i++) {
				chunk.add(task(i));
			}
			this.client.enqueueAll(chunk, TaskOptions.builder().queue(QUEUE).build()).forEach(EnqueueAttempt::orThrow);
		}
	}

	/**
	 * Enqueues tasks whose ids are their numbers.
	 * @param first the first number
	 * @param tasks how many
	 * @param id makes the id of a number
	 * @param options adds options to each
	 */
	public void fill(int first, int tasks, IntFunction<String> id, BiConsumer<Integer, TaskOptions.Builder> options) {
		for (int i = first; i < first + tasks; i++) {
			TaskOptions.Builder builder = TaskOptions.builder().queue(QUEUE).taskId(id.apply(i));
			options.accept(i, builder);
			this.client.enqueue(task(i), builder.build());
		}
	}

	/**
	 * Pauses the queue, so that a worker can start before its tasks come.
	 */
	public void pause() {
		this.redis.jedis().set(key("paused"), String.valueOf(Instant.now().getEpochSecond()));
	}

	public void resume() {
		this.redis.jedis().del(key("paused"));
	}

	/**
	 * Waits until so many attempts are counted.
	 * @param tasks how many
	 * @return how long that took, ns
	 */
	public long awaitProcessed(long tasks) {
		long start = System.nanoTime();
		long end = start + PATIENCE.toNanos();
		while (System.nanoTime() - end < 0) {
			String processed = this.redis.jedis().get(key("processed"));
			if (processed != null && Long.parseLong(processed) >= tasks) {
				return System.nanoTime() - start;
			}
			LockSupport.parkNanos(100_000);
		}
		throw new IllegalStateException("Not " + tasks + " tasks were processed within " + PATIENCE);
	}

	/**
	 * Looks at what a worked-off backlog must have left: nothing but counters.
	 * @param processed how many attempts there must have been
	 * @return what is wrong, empty if nothing is
	 */
	public String leftOvers(long processed) {
		Jedis jedis = this.redis.jedis();
		long pending = jedis.llen(key("pending"));
		long active = jedis.llen(key("active"));
		long leases = jedis.zcard(key("lease"));
		String counted = jedis.get(key("processed"));
		boolean clean = pending == 0 && active == 0 && leases == 0 && String.valueOf(processed).equals(counted);
		return clean ? "" : "Redis has pending " + pending + ", active " + active + ", leases " + leases
				+ ", processed " + counted + " instead of " + processed;
	}

	/**
	 * Looks for tasks that a stopped server has left behind.
	 * @return how many are active or have a lease
	 */
	public long inProgress() {
		return this.redis.jedis().llen(key("active")) + this.redis.jedis().zcard(key("lease"));
	}

	static String key(String name) {
		return "asynq:{" + QUEUE + "}:" + name;
	}

	@Override
	public void close() {
		this.connections.destroy();
	}

	private static Task task(int number) {
		return Task.of("bench", Payload.of(number).getBytes(StandardCharsets.US_ASCII));
	}

}
