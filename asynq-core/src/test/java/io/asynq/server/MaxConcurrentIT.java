package io.asynq.server;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.UnaryOperator;

import io.asynq.broker.message.TaskMessage;
import io.asynq.broker.redis.RedisState;
import io.asynq.handler.PostponeTaskException;
import io.asynq.handler.TaskHandlerFunction;
import io.asynq.handler.TaskMux;
import io.asynq.handler.TaskSemaphore;
import io.asynq.test.RedisExtension;
import io.asynq.test.Tier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.JRE;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import org.springframework.data.redis.connection.RedisConnectionFactory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Handlers that may run a bounded number of tasks at a time, over all servers.
 */
@ExtendWith(RedisExtension.class)
@Timeout(300)
class MaxConcurrentIT {

	private static final String QUEUE = "default";

	/** How long a rate is measured. */
	private static final int SECONDS = Tier.choose(5, 10);

	private final RedisConnectionFactory factory;

	private final RedisState state;

	private final AtomicInteger running = new AtomicInteger();

	private final AtomicInteger most = new AtomicInteger();

	private final Set<String> done = ConcurrentHashMap.newKeySet();

	private final CountDownLatch released = new CountDownLatch(1);

	MaxConcurrentIT(RedisConnectionFactory factory) {
		this.factory = factory;
		this.state = new RedisState(factory);
	}

	@AfterEach
	void release() {
		this.released.countDown();
	}

	@Test
	void limitHoldsAcrossServersAndPostponementIsNoRetry() {
		for (int i = 0; i < 60; i++) {
			this.state.seedPending(limited("t" + i));
		}
		TaskHandlerFunction work = (task, context) -> {
			this.most.accumulateAndGet(this.running.incrementAndGet(), Math::max);
			assertThat(context.retryCount()).isZero();
			new CountDownLatch(1).await(50, TimeUnit.MILLISECONDS);
			this.running.decrementAndGet();
			this.done.add(context.taskId());
			return null;
		};
		try (TestServer first = serve(2, work); TestServer second = serve(2, work)) {
			first.start();
			second.start();
			await().until(() -> this.done.size() == 60);
		}
		assertThat(this.most).hasValue(2);
		await().untilAsserted(() -> this.state.assertCounters(QUEUE, 60, 0));
		assertThat(this.state.exists("asynq:sema:api")).isFalse();
	}

	@Test
	@EnabledForJreRange(min = JRE.JAVA_21)
	void freedTokensAreUsedAtOnceByVirtualThreads() {
		for (int i = 0; i < 200; i++) {
			this.state.seedPending(limited("t" + i));
		}
		try (TestServer server = serve(1, (task, context) -> {
			new CountDownLatch(1).await(10, TimeUnit.MILLISECONDS);
			this.done.add(context.taskId());
			return null;
		}, (options) -> options.concurrency(5).virtualThreads(true))) {
			server.start();
			await().until(() -> this.done.size() == 200);
		}
	}

	@ParameterizedTest
	@MethodSource("counts")
	void tasksWithoutTokenCostFewCommandsWhateverTheNumberOfServers(int count) {
		List<TestServer> servers = new ArrayList<>();
		try {
			for (int i = 0; i < count; i++) {
				servers.add(serveOneToken());
			}
			Measured idle = measure(servers, 0);
			seedMany();
			servers.get(0).enqueue(limited("first"));
			awaitFirstBudgetsSpent(servers);
			// They are retried within five seconds
			await().until(() -> this.state.scores(QUEUE, "retry").size() <= servers.size());
			// A machine that stands still meanwhile makes it longer
			Measured measured = measure(servers, Tier.choose(1L, 3L));
			assertThat(measured.tried()).as("tasks tried by all servers, one in two seconds")
				.isLessThanOrEqualTo((long) (measured.seconds() / 2 + 1.5));
			double cost = measured.commands() - idle.commands() * measured.seconds() / idle.seconds();
			// Calls inside scripts are counted; one more task may be in flight
			assertThat(cost).as("the cost of the queue")
				.isLessThan((count == 1) ? 50 * measured.seconds() : 100 * (measured.tried() + 1));
			assertThat(this.running).hasValue(1);
		}
		finally {
			close(servers);
		}
	}

	static List<Integer> counts() {
		return Tier.choose(List.of(3), List.of(1, 3));
	}

	@Test
	void tasksOfOtherTypesOvertakeWaitingOnes() {
		for (int i = 0; i < 100; i++) {
			this.state.seedPending(limited("t" + i));
			this.state.seedPending(RedisState.message(QUEUE, "free" + i).build());
		}
		try (TestServer server = serve(1, (task, context) -> {
			this.released.await();
			return null;
		})) {
			server.start();
			await().until(() -> this.done.size() == 100);
			this.released.countDown();
		}
	}

	@Test
	void recoveredTaskDoesNotWaitForItsOwnToken() {
		this.state.redis().opsForZSet().add("asynq:sema:api", "t1", Instant.now().getEpochSecond() + 1800);
		this.state.seedPending(limited("t1"));
		try (TestServer server = serve(1, (task, context) -> {
			this.done.add(context.taskId());
			return null;
		})) {
			server.start();
			await().until(() -> this.done.contains("t1"));
		}
	}

	@Test
	void handlerMayPostponeForAnyTime() {
		this.state.seedPending(RedisState.message(QUEUE, "t1").maxRetry(0).build());
		try (TestServer server = TestServer.builder(this.factory).handling((task, context) -> {
			throw new IllegalStateException(new PostponeTaskException(Duration.ofHours(1)));
		})) {
			server.start();
			await().untilAsserted(() -> this.state.assertRetry(QUEUE, "t1"));
		}
		assertThat(this.state.scores(QUEUE, "retry").get("t1")).isBetween(Instant.now().getEpochSecond() + 3500,
				Instant.now().getEpochSecond() + 3601);
		this.state.assertCounters(QUEUE, 0, 0);
	}

	private void seedMany() {
		for (int i = 0; i < 2000; i++) {
			this.state.seedPending(limited("t" + i));
		}
	}

	/**
	 * Starts a server that has one token and keeps it.
	 */
	private TestServer serveOneToken() {
		return serve(1, (task, context) -> {
			this.running.incrementAndGet();
			this.released.await();
			return null;
		}).start();
	}

	private void close(List<TestServer> servers) {
		this.released.countDown();
		servers.forEach(TestServer::close);
	}

	/**
	 * Waits until each server has used its first budget, and none postpones more than now
	 * and then.
	 */
	private static void awaitFirstBudgetsSpent(List<TestServer> servers) {
		await().until(() -> servers.stream().allMatch((server) -> server.server().statistics().postponed() >= 32));
		AtomicLong known = new AtomicLong(postponed(servers));
		await().pollInterval(Duration.ofSeconds(1)).until(() -> {
			long now = postponed(servers);
			return now - known.getAndSet(now) <= servers.size();
		});
	}

	private static long postponed(List<TestServer> servers) {
		return servers.stream().mapToLong((server) -> server.server().statistics().postponed()).sum();
	}

	private TestServer serve(int tokens, TaskHandlerFunction work) {
		return serve(tokens, work, (options) -> options.concurrency(5));
	}

	private TestServer serve(int tokens, TaskHandlerFunction work, UnaryOperator<ServerOptions.Builder> options) {
		TaskMux mux = new TaskMux();
		TestServer server = TestServer.builder(this.factory).options(options).handling(mux);
		mux.handle("limited", work, TaskSemaphore.create(server.broker, "api", tokens));
		mux.handle("email:send", (task, context) -> {
			this.done.add(context.taskId());
			return null;
		});
		return server;
	}

	private static TaskMessage limited(String id) {
		return TaskMessage.builder("limited", id, QUEUE).maxRetry(0).timeoutSeconds(1800).build();
	}

	/**
	 * A rate can only be measured over time: no signal ends this sooner.
	 */
	private Measured measure(List<TestServer> servers, long tried) {
		long commands = commands();
		long postponed = postponed(servers);
		long start = System.nanoTime();
		await().until(() -> System.nanoTime() - start > TimeUnit.SECONDS.toNanos(SECONDS)
				&& postponed(servers) - postponed >= tried);
		return new Measured(commands() - commands, postponed(servers) - postponed, (System.nanoTime() - start) / 1e9);
	}

	private long commands() {
		Properties stats = this.state.redis().execute((connection) -> connection.serverCommands().info("stats"), true);
		return Long.parseLong(stats.getProperty("total_commands_processed"));
	}

	/**
	 * What happened while it was measured.
	 */
	private record Measured(long commands, long tried, double seconds) {
	}

}
