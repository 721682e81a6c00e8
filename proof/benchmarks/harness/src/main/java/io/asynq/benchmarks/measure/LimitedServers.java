package io.asynq.benchmarks.measure;

import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

import io.asynq.AsynqClient;
import io.asynq.ClientOptions;
import io.asynq.EnqueueAttempt;
import io.asynq.Task;
import io.asynq.TaskOptions;
import io.asynq.benchmarks.process.RedisProcess;
import io.asynq.handler.HandlerLimits;
import io.asynq.handler.TaskAggregators;
import io.asynq.handler.TaskMux;
import io.asynq.internal.broker.RedisBroker;
import io.asynq.internal.event.Observers;
import io.asynq.internal.server.ServerComponents;
import io.asynq.limit.TaskLimit;
import io.asynq.server.ServerOptions;
import io.asynq.server.ServerPolicies;
import org.springframework.data.redis.connection.jedis.JedisConnectionFactory;

/** In this process, for measures that must know what runs at the same time. */
final class LimitedServers implements AutoCloseable {

	static final String LIMITED = "limited";

	static final String FREE = "free";

	private static final int CHUNK = 4096;

	private final RedisProcess redis;

	private final TaskLimit limit;

	private final int concurrency;

	private final long workNanos;

	private final List<ServerComponents> servers = new ArrayList<>();

	private final List<JedisConnectionFactory> connections = new ArrayList<>();

	private final Map<String, AtomicInteger> running = new ConcurrentHashMap<>();

	private final Map<String, AtomicInteger> most = new ConcurrentHashMap<>();

	private final Map<String, AtomicInteger> done = new ConcurrentHashMap<>();

	private final Set<String> ids = ConcurrentHashMap.newKeySet();

	private final AtomicInteger doubled = new AtomicInteger();

	private final CountDownLatch held = new CountDownLatch(1);

	LimitedServers(RedisProcess redis, TaskLimit limit, int concurrency, long workNanos) {
		this.redis = redis;
		this.limit = limit;
		this.concurrency = concurrency;
		this.workNanos = workNanos;
	}

	LimitedServers start(int count) {
		for (int i = 0; i < count; i++) {
			TaskMux mux = new TaskMux().handle(LIMITED, (task, context) -> {
				note(context.taskId());
				work(key(task));
				return null;
			}, HandlerLimits.of("limit")).handle(FREE, (task, context) -> {
				note(context.taskId());
				count(this.done, FREE).incrementAndGet();
				return null;
			});
			ServerComponents server = new ServerComponents(broker(), mux, new TaskAggregators(),
					ServerOptions.builder()
						.concurrency(this.concurrency)
						.queue(Backlog.QUEUE, 1)
						.limit("limit", this.limit)
						.build(),
					ServerPolicies.defaults(), Observers.none(), Clock.systemUTC(), () -> true);
			server.server().start();
			this.servers.add(server);
		}
		return this;
	}

	void enqueue(String type, String tenant, int tasks) {
		AsynqClient client = AsynqClient.create(broker(), ClientOptions.builder().clock(Clock.systemUTC()).build());
		TaskOptions options = TaskOptions.builder().queue(Backlog.QUEUE).build();
		List<Task> chunk = new ArrayList<>(CHUNK);
		for (int i = 0; i < tasks; i++) {
			chunk.add(Task.of(type, "x").withHeaders(Map.of("tenant", tenant)));
			if (chunk.size() == CHUNK || i == tasks - 1) {
				client.enqueueAll(chunk, options).forEach(EnqueueAttempt::orThrow);
				chunk.clear();
			}
		}
	}

	int done(String tenant) {
		return count(this.done, tenant).get();
	}

	int done() {
		return this.done.values().stream().mapToInt(AtomicInteger::get).sum();
	}

	int doubled() {
		return this.doubled.get();
	}

	int most(String tenant) {
		return count(this.most, tenant).get();
	}

	/** Does the work of limited tasks in threads of their own, without a queue. */
	void workInThreads(int threads, int each) {
		List<Thread> all = new ArrayList<>();
		for (int i = 0; i < threads; i++) {
			all.add(new Thread(() -> {
				for (int n = 0; n < each; n++) {
					workQuietly();
				}
			}));
		}
		all.forEach(Thread::start);
		all.forEach((thread) -> {
			try {
				thread.join();
			}
			catch (InterruptedException ex) {
				throw new IllegalStateException(ex);
			}
		});
	}

	long waiting() {
		return this.redis.jedis().zcard("asynq:{" + Backlog.QUEUE + "}:retry");
	}

	@Override
	public void close() {
		this.held.countDown();
		this.servers.forEach((server) -> server.server().stop());
		this.connections.forEach(JedisConnectionFactory::destroy);
	}

	private void note(String id) {
		if (!this.ids.add(id)) {
			this.doubled.incrementAndGet();
		}
	}

	private void work(String tenant) throws InterruptedException {
		count(this.most, tenant).accumulateAndGet(count(this.running, tenant).incrementAndGet(), Math::max);
		try {
			if (this.workNanos < 0) {
				this.held.await();
			}
			long end = System.nanoTime() + this.workNanos;
			for (long left = this.workNanos; left > 0; left = end - System.nanoTime()) {
				LockSupport.parkNanos(left);
			}
		}
		finally {
			count(this.running, tenant).decrementAndGet();
			count(this.done, tenant).incrementAndGet();
		}
	}

	private void workQuietly() {
		try {
			work("");
		}
		catch (InterruptedException ex) {
			throw new IllegalStateException(ex);
		}
	}

	private static String key(Task task) {
		return task.headers().getOrDefault("tenant", "");
	}

	private static AtomicInteger count(Map<String, AtomicInteger> counts, String name) {
		return counts.computeIfAbsent(name, (key) -> new AtomicInteger());
	}

	private RedisBroker broker() {
		JedisConnectionFactory factory = this.redis.connect();
		this.connections.add(factory);
		return new RedisBroker(factory, Clock.systemUTC(), RedisBroker.DEFAULT_LEASE_DURATION, (event) -> {
		});
	}

}
