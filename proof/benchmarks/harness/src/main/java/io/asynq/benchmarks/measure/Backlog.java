package io.asynq.benchmarks.measure;

import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BiConsumer;
import java.util.function.Function;
import java.util.function.IntFunction;

import io.asynq.AsynqClient;
import io.asynq.ClientOptions;
import io.asynq.EnqueueAttempt;
import io.asynq.Task;
import io.asynq.TaskOptions;
import io.asynq.benchmarks.peer.Payload;
import io.asynq.benchmarks.process.ClusterProcesses;
import io.asynq.benchmarks.process.RedisProcess;
import io.asynq.internal.broker.RedisBroker;
import io.asynq.test.redis.RedisNode;
import org.springframework.data.redis.connection.jedis.JedisConnectionFactory;
import redis.clients.jedis.Jedis;

/** Fills asynq's queues, and checks that they were processed completely. */
public final class Backlog implements AutoCloseable {

	/** The default queue. */
	public static final String QUEUE = "bench";

	private static final int CHUNK = 4096;

	private static final Duration PATIENCE = Duration.ofMinutes(3);

	private final List<Jedis> masters;

	private final Function<String, Jedis> masterOf;

	private final JedisConnectionFactory connections;

	private final AsynqClient client;

	public Backlog(RedisProcess redis) {
		this(List.of(redis.jedis()), (queue) -> redis.jedis(), redis.connect());
	}

	Backlog(ClusterProcesses cluster) {
		this(cluster.masters(), cluster::masterOf, cluster.connect());
	}

	private Backlog(List<Jedis> masters, Function<String, Jedis> masterOf, JedisConnectionFactory connections) {
		this.masters = masters;
		this.masterOf = masterOf;
		this.connections = connections;
		RedisBroker broker = new RedisBroker(this.connections, Clock.systemUTC(), RedisBroker.DEFAULT_LEASE_DURATION,
				(event) -> {
				});
		this.client = AsynqClient.create(broker, ClientOptions.builder().clock(Clock.systemUTC()).build());
	}

	public void clear() {
		for (Jedis master : this.masters) {
			master.flushAll();
			master.configResetStat();
		}
	}

	public void fill(int tasks) {
		fill(tasks, List.of(QUEUE));
	}

	public void fill(int tasks, List<String> queues) {
		for (int queue = 0; queue < queues.size(); queue++) {
			TaskOptions options = TaskOptions.builder().queue(queues.get(queue)).build();
			List<Task> chunk = new ArrayList<>(CHUNK);
			for (int i = queue; i < tasks; i += queues.size()) {
				chunk.add(task(i));
				if (chunk.size() == CHUNK || i + queues.size() >= tasks) {
					this.client.enqueueAll(chunk, options).forEach(EnqueueAttempt::orThrow);
					chunk.clear();
				}
			}
		}
	}

	public void fill(int first, int tasks, IntFunction<String> id, BiConsumer<Integer, TaskOptions.Builder> options) {
		for (int i = first; i < first + tasks; i++) {
			TaskOptions.Builder builder = TaskOptions.builder().queue(QUEUE).taskId(id.apply(i));
			options.accept(i, builder);
			this.client.enqueue(task(i), builder.build());
		}
	}

	/** Pauses the queue, so that a worker can start before its tasks arrive. */
	public void pause() {
		jedis().set(key("paused"), String.valueOf(Instant.now().getEpochSecond()));
	}

	public void resume() {
		jedis().del(key("paused"));
	}

	public long awaitProcessed(long tasks) {
		return awaitProcessed(tasks, List.of(QUEUE));
	}

	public long awaitProcessed(long tasks, List<String> queues) {
		long start = System.nanoTime();
		long end = start + PATIENCE.toNanos();
		while (System.nanoTime() - end < 0) {
			if (processed(queues) >= tasks) {
				return System.nanoTime() - start;
			}
			LockSupport.parkNanos(100_000);
		}
		throw new IllegalStateException("Not " + tasks + " tasks were processed within " + PATIENCE);
	}

	public String leftOvers(long processed) {
		return leftOvers(processed, List.of(QUEUE));
	}

	public String leftOvers(long processed, List<String> queues) {
		long pending = 0;
		long active = 0;
		long leases = 0;
		for (String queue : queues) {
			Jedis jedis = this.masterOf.apply(queue);
			pending += jedis.llen(key(queue, "pending"));
			active += jedis.llen(key(queue, "active"));
			leases += jedis.zcard(key(queue, "lease"));
		}
		long counted = processed(queues);
		boolean clean = pending == 0 && active == 0 && leases == 0 && counted == processed;
		return clean ? "" : "Redis has pending " + pending + ", active " + active + ", leases " + leases
				+ ", processed " + counted + " instead of " + processed;
	}

	public long inProgress() {
		return jedis().llen(key("active")) + jedis().zcard(key("lease"));
	}

	static String key(String name) {
		return key(QUEUE, name);
	}

	private static String key(String queue, String name) {
		return "asynq:{" + queue + "}:" + name;
	}

	private long processed(List<String> queues) {
		long sum = 0;
		for (String queue : queues) {
			String count = this.masterOf.apply(queue).get(key(queue, "processed"));
			sum += (count != null) ? Long.parseLong(count) : 0;
		}
		return sum;
	}

	/** Counts the scripts that clients have run since {@link #clear()}. */
	long scriptCalls() {
		return this.masters.stream()
			.map((master) -> RedisNode.info(master, "commandstats").getOrDefault("cmdstat_evalsha", "calls=0,"))
			.mapToLong((line) -> Long.parseLong(line.replaceFirst("calls=(\\d+).*", "$1")))
			.sum();
	}

	private Jedis jedis() {
		return this.masterOf.apply(QUEUE);
	}

	@Override
	public void close() {
		this.connections.destroy();
	}

	private static Task task(int number) {
		return Task.of("bench", Payload.of(number).getBytes(StandardCharsets.US_ASCII));
	}

}
