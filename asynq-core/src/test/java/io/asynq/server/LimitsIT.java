package io.asynq.server;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;

import io.asynq.Task;
import io.asynq.handler.HandlerLimits;
import io.asynq.handler.PostponeTaskException;
import io.asynq.handler.TaskContext;
import io.asynq.handler.TaskHandlerFunction;
import io.asynq.handler.TaskMux;
import io.asynq.inspect.LimitInfo;
import io.asynq.internal.redis.RedisState;
import io.asynq.internal.redis.TaskMessage;
import io.asynq.limit.LimitKey;
import io.asynq.limit.LimitRate;
import io.asynq.limit.TaskLimit;
import io.asynq.limit.TaskLimits;
import io.asynq.test.RedisExtension;
import io.asynq.test.Tier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.data.redis.connection.RedisConnectionFactory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.awaitility.Awaitility.await;

/**
 * Limits over all servers, on servers.
 */
@ExtendWith(RedisExtension.class)
@Timeout(300)
class LimitsIT {

	private static final String QUEUE = "default";

	/** How long a rate is measured. */
	private static final int SECONDS = Tier.choose(5, 20);

	private final RedisConnectionFactory factory;

	private final RedisState state;

	private final Map<String, AtomicInteger> running = new ConcurrentHashMap<>();

	private final Map<String, Integer> mostOf = new ConcurrentHashMap<>();

	private final AtomicInteger most = new AtomicInteger();

	private final Set<String> done = ConcurrentHashMap.newKeySet();

	private final List<String> order = new CopyOnWriteArrayList<>();

	private final CountDownLatch released = new CountDownLatch(1);

	LimitsIT(RedisConnectionFactory factory) {
		this.factory = factory;
		this.state = new RedisState(factory);
	}

	@AfterEach
	void release() {
		this.released.countDown();
	}

	@Test
	void limitHoldsAcrossServersAndWaitingIsNoRetry() {
		seed("limited", 120);
		try (TestServer first = serve(2, this::work); TestServer second = serve(2, this::work)) {
			first.start();
			second.start();
			await().until(() -> this.done.size() == 120);
		}
		assertThat(this.most).hasValue(2);
		await().untilAsserted(() -> this.state.assertCounters(QUEUE, 120, 0));
		assertNothingIsHeld();
	}

	@Test
	void tasksOfOtherTypesOvertakeWaitingOnes() {
		for (int i = 0; i < 100; i++) {
			this.state.seedPending(message("limited", "t" + i));
			this.state.seedPending(message("free", "free" + i));
		}
		try (TestServer server = serve(1, this::hold)) {
			server.start();
			await().until(() -> this.done.size() == 100);
			await().untilAsserted(() -> assertThat(info(server)).extracting(LimitInfo::held, LimitInfo::waiting)
				.containsExactly(1L, 99L));
			assertThat(server.broker.queues().stats(QUEUE).orElseThrow().waitingForLimit()).isEqualTo(99);
		}
	}

	@ParameterizedTest
	@Tag("full")
	@ValueSource(ints = { 1, 3, 10 })
	void waitingTasksCostNextToNothingWhateverTheNumberOfServers(int count) {
		List<TestServer> servers = new ArrayList<>();
		try {
			for (int i = 0; i < count; i++) {
				servers.add(serve(1, this::hold).start());
			}
			double idle = commandsPerSecond();
			seed("limited", 2000);
			servers.get(0).enqueue(message("limited", "last"));
			await().until(() -> this.state.scores(QUEUE, "retry").size() == 2000);
			assertThat(commandsPerSecond() - idle)
				.as("commands per second, those in scripts included; one try of each task would be 500 and more")
				.isLessThan(50);
			assertThat(this.running.get("limited")).hasValue(1);
		}
		finally {
			this.released.countDown();
			servers.forEach(TestServer::close);
		}
	}

	@Test
	void severalLimitsOfHandlerAndQueueApply() {
		seed("limited", 40);
		for (int i = 0; i < 40; i++) {
			this.state
				.seedPending(TaskMessage.builder("limited", "low" + i, "low").maxRetry(0).timeoutSeconds(60).build());
		}
		TaskHandlerFunction work = (task, context) -> {
			inside(context.queue(), () -> inside("all", () -> pause(5)));
			this.done.add(context.taskId());
			return null;
		};
		try (TestServer server = serve(work,
				(options) -> options.concurrency(10)
					.queue(QUEUE, 1)
					.queue("low", new QueueSpec(1, null, List.of("low")))
					.limit("api", TaskLimit.concurrent(3))
					.limit("low", TaskLimit.concurrent(1)))) {
			server.start();
			await().until(() -> this.done.size() == 80);
		}
		assertThat(this.mostOf).containsEntry("low", 1);
		assertThat(this.mostOf.get("all")).isLessThanOrEqualTo(3);
		assertNothingIsHeld();
	}

	@Test
	void keysHaveTheirOwnTokensAndALargeOneDoesNotStarveOthers() {
		for (int i = 0; i < 1000; i++) {
			this.state
				.seedPending(message("limited", "large" + i).toBuilder().headers(Map.of("Tenant", "large")).build());
		}
		for (int i = 0; i < 20; i++) {
			this.state.seedPending(
					message("limited", "small" + i).toBuilder().headers(Map.of("tenant", "s" + i % 10)).build());
		}
		TaskHandlerFunction work = (task, context) -> {
			String key = context.taskId().startsWith("large") ? "large" : task.headers().get("tenant");
			inside(key, () -> pause(5));
			this.order.add(context.taskId());
			return null;
		};
		try (TestServer server = serve(work, (options) -> options.concurrency(10)
			.limit("api", TaskLimit.concurrent(2).by(LimitKey.header("tenant"))))) {
			server.start();
			await().until(() -> this.order.stream().filter((id) -> id.startsWith("small")).count() == 20);
			assertThat(this.order).as("done by then").hasSizeLessThan(900);
			await().until(() -> this.order.size() == 1020);
		}
		assertThat(this.mostOf.values()).allMatch((most) -> most <= 2);
		assertNothingIsHeld();
	}

	@Test
	void tasksWhoseKeyIsMissingOrFailsShareOneKey() {
		seed("limited", 20);
		AtomicInteger asked = new AtomicInteger();
		LimitKey broken = (task) -> {
			if (asked.incrementAndGet() % 2 == 0) {
				throw new IllegalStateException("planted");
			}
			return null;
		};
		try (TestServer server = serve(this::work,
				(options) -> options.concurrency(5).limit("api", TaskLimit.concurrent(1).by(broken)))) {
			server.start();
			await().until(() -> this.done.size() == 20);
		}
		assertThat(this.most).hasValue(1);
	}

	@Test
	void longKeysAreToldApart() {
		String longKey = "k".repeat(1024);
		for (String key : List.of(longKey + "1", longKey + "2", "a\nb")) {
			this.state.seedPending(
					message("limited", "id" + key.hashCode()).toBuilder().headers(Map.of("tenant", key)).build());
		}
		try (TestServer server = serve(this::hold, (options) -> options.concurrency(5)
			.limit("api", TaskLimit.concurrent(1).by(LimitKey.header("tenant"))))) {
			server.start();
			await().untilAsserted(() -> assertThat(this.running.get("limited")).hasValue(3));
			assertThat(server.broker.limitReader().keys("api", 10)).hasSize(3)
				.allMatch((key) -> key.key().length() < 200)
				.anyMatch((key) -> key.key().equals("a b"));
		}
	}

	@Test
	void rateIsKept() {
		seed("limited", 30);
		List<Instant> starts = new CopyOnWriteArrayList<>();
		TaskHandlerFunction work = (task, context) -> {
			starts.add(Instant.now());
			this.done.add(context.taskId());
			return null;
		};
		try (TestServer server = serve(work,
				(options) -> options.concurrency(5).limit("api", TaskLimit.rate(LimitRate.parse("10/s"))))) {
			server.start();
			await().until(() -> this.done.size() == 30);
		}
		assertThat(Duration.between(starts.get(0), starts.get(29))).isGreaterThan(Duration.ofMillis(1500));
		await().untilAsserted(() -> this.state.assertCounters(QUEUE, 30, 0));
	}

	@Test
	@Tag("full")
	void limitIsChangedWhileServersRun() {
		seed("limited", 20);
		try (TestServer server = serve(1, this::hold)) {
			server.start();
			await().untilAsserted(() -> assertThat(info(server)).extracting(LimitInfo::waiting).isEqualTo(19L));
			TaskLimits.create(server.broker).change("api", TaskLimit.concurrent(4));
			await().atMost(Duration.ofMinutes(1))
				.untilAsserted(() -> assertThat(this.running.get("limited")).hasValue(4));
		}
	}

	@Test
	void taskWhoseDeadlineHasPassedWhileItWaitedFails() {
		this.state.seedPending(message("limited", "holder"));
		this.state.seedPending(
				message("limited", "late").toBuilder().deadlineSeconds(Instant.now().getEpochSecond() + 2).build());
		try (TestServer server = serve(1, this::hold)) {
			server.start();
			await().untilAsserted(() -> this.state.assertRetry(QUEUE, "late"));
			await().until(() -> Instant.now().getEpochSecond() > this.state.stored(QUEUE, "late").deadlineSeconds());
			this.released.countDown();
			await().untilAsserted(() -> this.state.assertArchived(QUEUE, "late"));
		}
		assertNothingIsHeld();
	}

	@Test
	void stopGivesTokensBack() {
		seed("limited", 3);
		try (TestServer stopped = serve(1, this::hold)) {
			stopped.start();
			await().untilAsserted(() -> assertThat(info(stopped)).extracting(LimitInfo::waiting).isEqualTo(2L));
		}
		this.released.countDown();
		try (TestServer server = serve(1, this::work)) {
			assertThat(info(server).held()).isZero();
			server.start();
			await().until(() -> this.done.size() == 3);
		}
	}

	@Test
	void startFailsIfALimitIsNotConfigured() {
		TaskMux mux = new TaskMux();
		mux.handle("limited", this::work, HandlerLimits.of("fax"));
		try (TestServer server = TestServer.builder(this.factory).handling(mux)) {
			assertThatIllegalStateException().isThrownBy(server::start)
				.withMessageContainingAll("'limited'", "'fax'", "asynq.limits.fax.concurrent");
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

	private byte[] work(Task task, TaskContext context) {
		assertThat(context.retryCount()).isZero();
		inside("limited", () -> pause(5));
		this.most.set(this.mostOf.get("limited"));
		this.done.add(context.taskId());
		return null;
	}

	private byte[] hold(Task task, TaskContext context) throws InterruptedException {
		this.running.computeIfAbsent("limited", (name) -> new AtomicInteger()).incrementAndGet();
		this.released.await();
		return null;
	}

	private void inside(String name, Runnable work) {
		AtomicInteger count = this.running.computeIfAbsent(name, (key) -> new AtomicInteger());
		this.mostOf.merge(name, count.incrementAndGet(), Math::max);
		try {
			work.run();
		}
		finally {
			count.decrementAndGet();
		}
	}

	/**
	 * Works for a while.
	 */
	private static void pause(int millis) {
		try {
			new CountDownLatch(1).await(millis, TimeUnit.MILLISECONDS);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

	private TestServer serve(int tokens, TaskHandlerFunction work) {
		return serve(work, (options) -> options.concurrency(5).limit("api", TaskLimit.concurrent(tokens)));
	}

	private TestServer serve(TaskHandlerFunction work, UnaryOperator<ServerOptions.Builder> options) {
		TaskMux mux = new TaskMux();
		mux.handle("limited", work, HandlerLimits.of("api"));
		mux.handle("free", (task, context) -> {
			this.done.add(context.taskId());
			return null;
		});
		// Some handlers end with the server only
		return TestServer.builder(this.factory)
			.options((given) -> options.apply(given.shutdownTimeout(Duration.ofMillis(200))))
			.handling(mux);
	}

	private void seed(String type, int count) {
		for (int i = 0; i < count; i++) {
			this.state.seedPending(message(type, "t" + i));
		}
	}

	private static TaskMessage message(String type, String id) {
		return TaskMessage.builder(type, id, QUEUE).maxRetry(0).timeoutSeconds(1800).build();
	}

	private static LimitInfo info(TestServer server) {
		return server.broker.limitReader().limits().get(0);
	}

	private void assertNothingIsHeld() {
		assertThat(this.state.redis().keys("asynqj:limits:*")).noneMatch((key) -> key.contains(":held:")
				|| key.contains(":keys:") || key.contains(":ring:") || key.endsWith(":queues"));
		assertThat(this.state.redis().keys("asynqj:*:waiting*")).isEmpty();
	}

	/**
	 * A rate can only be measured over time: no signal ends this sooner.
	 */
	private double commandsPerSecond() {
		long commands = commands();
		long start = System.nanoTime();
		await().until(() -> System.nanoTime() - start > TimeUnit.SECONDS.toNanos(SECONDS));
		return (commands() - commands) / ((System.nanoTime() - start) / 1e9);
	}

	private long commands() {
		Properties stats = this.state.redis().execute((connection) -> connection.serverCommands().info("stats"), true);
		return Long.parseLong(stats.getProperty("total_commands_processed"));
	}

}
