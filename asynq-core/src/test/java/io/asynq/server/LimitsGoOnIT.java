package io.asynq.server;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.stream.IntStream;

import io.asynq.Task;
import io.asynq.TaskState;
import io.asynq.handler.HandlerLimits;
import io.asynq.handler.TaskContext;
import io.asynq.handler.TaskMux;
import io.asynq.internal.inspect.TaskMove;
import io.asynq.internal.redis.LimitSeeds;
import io.asynq.internal.redis.RedisState;
import io.asynq.internal.redis.TaskMessage;
import io.asynq.limit.LimitKey;
import io.asynq.limit.LimitRate;
import io.asynq.limit.TaskLimit;
import io.asynq.test.RedisExtension;
import io.asynq.test.Tier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.dao.DataAccessException;
import org.springframework.data.redis.connection.RedisConnectionFactory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Limited tasks go on at once, whatever was paused, late, killed, deleted or flushed.
 */
@Tag("slow")
@ExtendWith(RedisExtension.class)
@Timeout(300)
class LimitsGoOnIT {

	private static final String QUEUE = "default";

	/** What stood still stood still for ten seconds and more. */
	private static final Duration SOON = Duration.ofSeconds(8);

	private static final int KEYS = Tier.choose(2_000, 20_000);

	private final RedisConnectionFactory factory;

	private final RedisState state;

	private final AtomicInteger running = new AtomicInteger();

	private final AtomicInteger most = new AtomicInteger();

	private final Set<String> done = ConcurrentHashMap.newKeySet();

	private final List<String> order = new CopyOnWriteArrayList<>();

	private final AtomicInteger failed = new AtomicInteger();

	private final CountDownLatch released = new CountDownLatch(1);

	LimitsGoOnIT(RedisConnectionFactory factory) {
		this.factory = factory;
		this.state = new RedisState(factory);
	}

	@AfterEach
	void release() {
		this.released.countDown();
	}

	@ParameterizedTest
	@ValueSource(ints = { 1, 3 })
	void tasksGoOnAfterAShortPause(int tokens) {
		try (TestServer server = serve(TaskLimit.concurrent(tokens))) {
			seed(QUEUE, "t", 60);
			server.start();
			await().until(() -> this.done.size() > 10);
			server.broker.queueKeeper().pause(QUEUE);
			await().until(() -> this.state.scores(QUEUE, "retry").size() + this.state.pending(QUEUE).size()
					+ this.done.size() >= 60 && this.running.get() == 0);
			server.broker.queueKeeper().resume(QUEUE);
			await().atMost(SOON).until(() -> this.done.size() == 60);
		}
		assertThat(this.most).hasValueLessThanOrEqualTo(tokens);
	}

	@Test
	void tasksGoOnAfterAFlush() {
		try (TestServer server = serve(TaskLimit.concurrent(2))) {
			seed(QUEUE, "before", 20);
			server.start();
			await().until(() -> this.done.size() == 20);
			this.state.redis().execute((connection) -> {
				connection.serverCommands().flushAll();
				return null;
			}, true);
			IntStream.range(0, 20).forEach((i) -> server.enqueue(message(QUEUE, "after" + i)));
			await().atMost(SOON).until(() -> this.done.size() == 40);
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { "queue", "retry", "go" })
	void deletedTasksOfManyKeysCostNobodyATurn(String deleted) {
		LimitSeeds seeds = new LimitSeeds(TestServer.builder(this.factory).handling((task, context) -> null).broker);
		seeds.concurrent("api", 1).concurrent("tenant", 1).hold("low", "holder", "api");
		seeds.parkKeys("low", KEYS, "api", "tenant");
		try (TestServer server = serve(TaskLimit.concurrent(1))) {
			switch (deleted) {
				case "queue" -> server.broker.queueKeeper().delete("low", true);
				case "retry" -> server.broker.tasks().moveAll("low", TaskMove.DELETE, TaskState.RETRY);
				default -> this.state.redis().keys("asynq:{low}:*").forEach(this.state.redis()::delete);
			}
			seeds.release("low", "holder", "api");
			seed(QUEUE, "t", 50);
			server.start();
			await().atMost(SOON).until(() -> this.done.size() == 50);
			await().atMost(Duration.ofMinutes(1))
				.untilAsserted(
						() -> assertThat(this.state.redis().keys("asynqj:*")).as("what is left").hasSizeLessThan(20));
		}
	}

	@Test
	@Tag("full")
	void whoWaitsFirstGoesFirstThoughNobodyTakesItsTokenForLong() {
		LimitSeeds seeds = new LimitSeeds(TestServer.builder(this.factory).handling((task, context) -> null).broker);
		seeds.concurrent("api", 1).hold(QUEUE, "holder", "api");
		IntStream.range(0, 8).forEach((i) -> seeds.park(message(QUEUE, "t" + i), "api"));
		try (TestServer server = serve(TaskLimit.concurrent(1), (options) -> options.concurrency(1))) {
			this.state.seedPending(TaskMessage.builder("blocker", "blocker", QUEUE).maxRetry(0).build());
			server.start();
			await().until(() -> this.running.get() == 1);
			seeds.release(QUEUE, "holder", "api");
			long start = System.nanoTime();
			await().atMost(Duration.ofMinutes(1))
				.until(() -> System.nanoTime() - start > Duration.ofSeconds(35).toNanos());
			this.released.countDown();
			await().until(() -> this.order.size() == 8);
		}
		assertThat(this.order).containsExactly("t0", "t1", "t2", "t3", "t4", "t5", "t6", "t7");
	}

	@ParameterizedTest
	@ValueSource(strings = { "concurrent", "rate", "keys" })
	void connectionsThatAreKilledCostNoTaskAnAttempt(String limit) {
		TaskLimit limited = limit(limit);
		try (TestServer server = serve(limited); TestServer second = serve(limited)) {
			seed(QUEUE, "t", 600);
			server.start();
			second.start();
			for (int i = 1; i <= 8; i++) {
				int some = 60 * i;
				await().until(() -> this.done.size() >= some);
				killConnections();
			}
			await().atMost(Duration.ofSeconds(30)).until(() -> this.done.size() == 600);
			await().ignoreExceptions().untilAsserted(() -> this.state.assertCounters(QUEUE, 600, 0));
		}
		assertThat(this.failed).hasValue(0);
		assertThat(this.state.scores(QUEUE, "archived")).isEmpty();
	}

	/** Calls that take tokens come late, and so do those that say that tasks wait. */
	@ParameterizedTest
	@Tag("full")
	@ValueSource(strings = { "concurrent", "rate", "keys" })
	void redisThatIsAwayForSecondsCostsNoTaskAnAttempt(String limit) {
		TaskLimit limited = limit(limit);
		try (TestServer server = serve(limited); TestServer second = serve(limited)) {
			seed(QUEUE, "t", 600);
			server.start();
			second.start();
			for (int i = 1; i <= 3; i++) {
				int some = 150 * i;
				await().until(() -> this.done.size() >= some);
				this.state.redis()
					.execute((connection) -> connection.execute("CLIENT", "PAUSE".getBytes(), "4000".getBytes()), true);
			}
			await().atMost(Duration.ofSeconds(20)).until(() -> this.done.size() == 600);
			await().ignoreExceptions().untilAsserted(() -> this.state.assertCounters(QUEUE, 600, 0));
		}
		assertThat(this.failed).hasValue(0);
		assertThat(this.state.scores(QUEUE, "archived")).isEmpty();
	}

	private static TaskLimit limit(String limit) {
		return switch (limit) {
			case "rate" -> TaskLimit.rate(LimitRate.parse("400/s"));
			case "keys" -> TaskLimit.concurrent(2).by(LimitKey.header("tenant"));
			default -> TaskLimit.concurrent(3);
		};
	}

	private void killConnections() {
		try {
			this.state.redis()
				.execute((connection) -> connection.execute("CLIENT", "KILL".getBytes(), "TYPE".getBytes(),
						"normal".getBytes(), "SKIPME".getBytes(), "yes".getBytes()), true);
		}
		catch (DataAccessException ex) {
			// The connection was one of them
		}
	}

	private TestServer serve(TaskLimit limit) {
		return serve(limit, (options) -> {
		});
	}

	private TestServer serve(TaskLimit limit, Consumer<ServerOptions.Builder> options) {
		TaskMux mux = new TaskMux();
		mux.handle("limited", this::work, HandlerLimits.of("api"));
		mux.handle("blocker", (task, context) -> {
			this.running.incrementAndGet();
			this.released.await();
			this.running.decrementAndGet();
			return null;
		});
		return TestServer.builder(this.factory).options((given) -> {
			given.shutdownTimeout(Duration.ofMillis(200)).concurrency(5).limit("api", limit);
			options.accept(given);
			return given;
		}).errors((task, context, error) -> this.failed.incrementAndGet()).handling(mux);
	}

	private byte[] work(Task task, TaskContext context) {
		this.most.accumulateAndGet(this.running.incrementAndGet(), Math::max);
		this.order.add(context.taskId());
		this.running.decrementAndGet();
		this.done.add(context.taskId());
		return null;
	}

	private void seed(String queue, String prefix, int count) {
		List<TaskMessage> messages = new ArrayList<>();
		IntStream.range(0, count).forEach((i) -> messages.add(message(queue, prefix + i)));
		messages.forEach(this.state::seedPending);
	}

	private static TaskMessage message(String queue, String id) {
		return TaskMessage.builder("limited", id, queue)
			.maxRetry(0)
			.timeoutSeconds(1800)
			.headers(Map.of("tenant", "t" + Math.abs(id.hashCode()) % 20))
			.build();
	}

}
