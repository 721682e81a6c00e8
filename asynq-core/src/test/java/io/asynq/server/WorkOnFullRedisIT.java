package io.asynq.server;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;

import io.asynq.AsynqException;
import io.asynq.CancelMode;
import io.asynq.handler.TaskMux;
import io.asynq.inspect.AsynqInspector;
import io.asynq.inspect.CancelResult;
import io.asynq.internal.redis.RedisState;
import io.asynq.internal.redis.TaskMessage;
import io.asynq.internal.worker.UnhandledStore;
import io.asynq.test.RedisExtension;
import io.asynq.test.TestRedis;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.data.redis.connection.RedisConnection;
import org.springframework.data.redis.connection.jedis.JedisConnectionFactory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

/**
 * A server on a Redis that is out of memory and evicts nothing: only it can make room.
 */
@Tag("slow")
@Timeout(120)
class WorkOnFullRedisIT {

	private static final String QUEUE = "default";

	private static TestRedis redis;

	private static JedisConnectionFactory factory;

	private final RedisState state = new RedisState(factory);

	private final Set<String> ran = ConcurrentHashMap.newKeySet();

	private final CountDownLatch release = new CountDownLatch(1);

	@BeforeAll
	static void start() {
		redis = TestRedis.startOwn();
		factory = RedisExtension.connectionFactory(redis);
	}

	@AfterAll
	static void stop() {
		factory.destroy();
		redis.stop();
	}

	@BeforeEach
	void empty() {
		try (RedisConnection connection = factory.getConnection()) {
			connection.serverCommands().flushAll();
		}
	}

	@AfterEach
	void giveMemoryBack() {
		this.release.countDown();
		full(false);
	}

	@Test
	void backlogIsWorkedOffWhateverTasksAreInFront() {
		for (int i = 0; i < 30; i++) {
			this.state.seedPending(message("t" + i).maxRetry(i % 2).build());
			if (i % 3 == 0) {
				this.state.seedField(QUEUE, "t" + i, "x-suspect", "a dead attempt".getBytes());
			}
			else if (i % 3 == 1) {
				this.state.seedField(QUEUE, "t" + i, "x-cut-short", "1".getBytes());
			}
		}
		try (TestServer server = server()) {
			full(true);
			server.start();
			await().until(() -> this.ran.size() == 30);
			await().untilAsserted(() -> this.state.assertActive(QUEUE));
			assertThatExceptionOfType(AsynqException.class).as("what adds work is refused")
				.isThrownBy(() -> server.enqueue(message("more").build()));
		}
		assertThat(this.state.value(QUEUE, "processed")).isEqualTo("30");
		assertThat(this.state.exists("asynq:{default}:failed")).isFalse();
	}

	@Test
	void leaseOfRunningTaskIsRenewed() {
		this.state.seedPending(message("running").build());
		try (TestServer server = server()) {
			full(true);
			server.start();
			await().until(() -> this.state.scores(QUEUE, "lease").containsKey("running"));
			long end = this.state.scores(QUEUE, "lease").get("running");
			await().until(() -> this.state.scores(QUEUE, "lease").get("running") > end);
		}
	}

	@Test
	void tasksOfKilledServerAreRecovered() {
		this.state.seedActive(Instant.now().minusSeconds(60), message("lost").build());
		this.state.seedActive(Instant.now().minusSeconds(60), message("last").retried(25).build());
		this.state.seedActive(null, message("leaseless").build());
		try (TestServer server = server()) {
			full(true);
			server.start();
			await().untilAsserted(() -> this.state.assertRetry(QUEUE, "lost", "leaseless"));
			await().untilAsserted(() -> this.state.assertArchived(QUEUE, "last"));
			this.state.assertActive(QUEUE);
		}
	}

	@Test
	void tasksWithoutHandlerArePutOffAndRunOnceThereIsOne() {
		IntStream.range(0, 200).forEach((i) -> this.state.seedPending(message("t" + i).build()));
		TaskMux mux = new TaskMux().handle("another", (task, context) -> null);
		try (TestServer server = builder().handling(mux)) {
			full(true);
			server.start();
			await().until(() -> {
				List<UnhandledStore.Waiting> types = server.broker.unhandled().waiting(QUEUE);
				return types.size() == 1 && types.get(0).tasks() == 200
						&& types.get(0).until() > Instant.now().getEpochSecond() + 30
						&& this.state.scores(QUEUE, "retry")
							.values()
							.stream()
							.allMatch((due) -> due > types.get(0).until() - 5);
			});
			mux.handle("email:", (task, context) -> {
				this.ran.add(context.taskId());
				return null;
			});
			await().atMost(Duration.ofSeconds(30)).until(() -> this.ran.size() == 200);
		}
	}

	@ParameterizedTest
	@CsvSource({ "pending, ARCHIVE", "pending, DELETE", "scheduled, ARCHIVE", "retry, DELETE", "aggregating, ARCHIVE",
			"aggregating, DELETE" })
	void waitingTaskIsCancelled(String where, CancelMode mode) {
		Instant later = Instant.now().plusSeconds(3600);
		TaskMessage task = message("t1").group(where.equals("aggregating") ? "g" : "").build();
		switch (where) {
			case "pending" -> this.state.seedPending(task);
			case "scheduled" -> this.state.seedScheduled(later, task);
			case "retry" -> this.state.seedRetry(later, task);
			default -> this.state.seedGrouped(later, task);
		}
		full(true);
		CancelResult result = AsynqInspector.create(server().broker, Clock.systemUTC()).cancelTask(QUEUE, "t1", mode);
		assertThat(result).isEqualTo((mode == CancelMode.DELETE) ? CancelResult.DELETED : CancelResult.ARCHIVED);
		this.state.assertArchived(QUEUE, (mode == CancelMode.DELETE) ? new String[0] : new String[] { "t1" });
		assertThat(this.state.pending(QUEUE)).isEmpty();
	}

	@ParameterizedTest
	@EnumSource(names = { "ARCHIVE", "DELETE" })
	void runningTaskIsCancelledForGood(CancelMode mode) throws Exception {
		cancelRunning(mode, () -> {
		});
	}

	/**
	 * Else servers would have lost their entries meanwhile, and the wish would not hold.
	 */
	@ParameterizedTest
	@EnumSource(names = { "ARCHIVE", "DELETE" })
	void runningTaskIsCancelledForGoodRightAfterMemoryIsBack(CancelMode mode) throws Exception {
		cancelRunning(mode, () -> full(false));
	}

	private void cancelRunning(CancelMode mode, Runnable before) throws Exception {
		this.state.seedPending(message("running").build());
		try (TestServer server = server().start()) {
			await().until(() -> this.ran.contains("running"));
			full(true);
			awaitBeats(6);
			before.run();
			AsynqInspector inspector = AsynqInspector.create(server.broker, Clock.systemUTC());
			assertThat(inspector.cancelTask(QUEUE, "running", mode)).isEqualTo(CancelResult.RECORDED);
			this.release.countDown();
			await().untilAsserted(() -> this.state.assertActive(QUEUE));
			this.state.assertRetry(QUEUE);
			this.state.assertArchived(QUEUE, (mode == CancelMode.DELETE) ? new String[0] : new String[] { "running" });
		}
	}

	/** As long as the entries of servers live that are not renewed. */
	private void awaitBeats(int beats) {
		long start = System.nanoTime();
		await().until(() -> System.nanoTime() - start > TimeUnit.MILLISECONDS.toNanos(200L * beats));
	}

	private TestServer server() {
		return builder().handling((task, context) -> {
			this.ran.add(context.taskId());
			if (context.taskId().equals("running")) {
				this.release.await(30, TimeUnit.SECONDS);
				throw new IllegalStateException("It would be retried if it were not cancelled");
			}
			return null;
		});
	}

	private static TestServer.Builder builder() {
		return TestServer.builder(factory)
			.options((options) -> options.recoverInterval(Duration.ofMillis(200))
				.heartbeatInterval(Duration.ofMillis(200))
				.shutdownTimeout(Duration.ofMillis(100)));
	}

	private static void full(boolean full) {
		redis.node().configure("maxmemory", full ? "1" : "0");
	}

	private static TaskMessage.Builder message(String id) {
		return TestMessages.message(id);
	}

}
