package io.asynq.server;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.asynq.internal.redis.RedisState;
import io.asynq.internal.redis.TaskMessage;
import io.asynq.internal.worker.Dequeued;
import io.asynq.internal.worker.EndedLease;
import io.asynq.internal.worker.TaskExecution;
import io.asynq.internal.worker.TaskUpkeep;
import io.asynq.test.RedisExtension;
import io.asynq.test.TestRedis;
import io.asynq.test.process.RequiresGo;
import io.asynq.test.redis.LossyProxy;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.LoggerFactory;
import org.springframework.data.redis.connection.RedisConnection;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.RedisStandaloneConfiguration;
import org.springframework.data.redis.connection.jedis.JedisConnectionFactory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.mockito.AdditionalAnswers.delegatesTo;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.ArgumentMatchers.anyInt;
import static org.mockito.Mockito.doAnswer;
import static org.mockito.Mockito.mock;

/**
 * Leases that are kept, lost, or left behind by a killed server.
 */
@ExtendWith(RedisExtension.class)
@Timeout(300)
class LeasesIT {

	private static final String QUEUE = "default";

	private static final int LOOKS = 5;

	private final CountDownLatch looks = new CountDownLatch(LOOKS);

	private final RedisConnectionFactory factory;

	private final RedisState state;

	private final TestRedis redis;

	LeasesIT(TestRedis redis, RedisConnectionFactory factory) {
		this.redis = redis;
		this.factory = factory;
		this.state = new RedisState(factory);
	}

	@Test
	void taskOfKilledServerIsRecovered() {
		this.state.seedActive(Instant.now().minusSeconds(60), message("lost").build());
		this.state.seedActive(Instant.now().minusSeconds(60), message("last").retried(25).build());
		this.state.seedActive(null, message("leaseless").build());
		try (TestServer server = TestServer.builder(this.factory)
			.options((options) -> options.recoverInterval(Duration.ofMillis(200))
				.heartbeatInterval(Duration.ofMillis(500)))
			.handling((task, context) -> null)
			.start()) {
			await().untilAsserted(() -> this.state.assertRetry(QUEUE, "lost", "leaseless"));
			await().untilAsserted(() -> this.state.assertArchived(QUEUE, "last"));
			this.state.assertActive(QUEUE);
			assertThat(this.state.stored(QUEUE, "lost").errorMessage()).isEqualTo("asynq: task lease expired");
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { "PT-1H", "PT-5S", "PT5S", "PT1H" })
	void stalledLeaseIsNotLostWhenRedisClockIsSet(Duration step) throws InterruptedException {
		try (TestServer server = recovering(step)) {
			assertThat(this.looks.await(60, TimeUnit.SECONDS)).isTrue();
			this.state.assertActive(QUEUE, "still");
		}
	}

	@Test
	void stalledLeaseIsLostWhenRedisClockContinues() {
		try (TestServer server = recovering(Duration.ZERO)) {
			await().untilAsserted(() -> this.state.assertRetry(QUEUE, "still"));
		}
	}

	/**
	 * Other servers have watched the lease stand still for more than two heartbeats. From
	 * the second look on the time of Redis is shifted.
	 */
	private TestServer recovering(Duration step) {
		this.state.seedActive(Instant.now().minusSeconds(60), message("still").build());
		return TestServer.builder(this.factory)
			.lease(Duration.ofHours(1))
			.options((options) -> options.recoverInterval(Duration.ofMillis(100))
				.heartbeatInterval(Duration.ofMinutes(10)))
			.leases((leases) -> stepped(leases, step))
			.handling((task, context) -> null)
			.start();
	}

	private TaskUpkeep stepped(TaskUpkeep leases, Duration step) {
		TaskUpkeep stepped = mock(TaskUpkeep.class, delegatesTo(leases));
		doAnswer((call) -> {
			EndedLease.Page page = leases.ending(call.getArgument(0), call.getArgument(1), call.getArgument(2),
					call.getArgument(3), call.getArgument(4));
			boolean first = this.looks.getCount() == LOOKS;
			this.looks.countDown();
			return first ? new EndedLease.Page(List.of(), 0, false, page.now(), true)
					: new EndedLease.Page(page.leases().stream().map(LeasesIT::stoodStill).toList(), page.listed(),
							page.more(), page.now().plus(step), page.even());
		}).when(stepped).ending(any(), any(), any(), anyInt(), anyInt());
		return stepped;
	}

	private static EndedLease stoodStill(EndedLease lease) {
		return new EndedLease(lease.message(), lease.endedAt(), lease.sinceEnd(), Duration.ofHours(1), lease.attempt(),
				lease.record());
	}

	/**
	 * Servers with slow policies would take over what each of them has claimed.
	 */
	@Test
	void outcomeOfLostTaskIsDecidedBeforeClaim() {
		this.state.seedActive(Instant.now().minusSeconds(60), message("lost").build());
		this.state.seedField(QUEUE, "lost", "x-attempt", "fence".getBytes());
		AtomicReference<String> whileAsked = new AtomicReference<>();
		try (TestServer server = TestServer.builder(this.factory)
			.options((options) -> options.recoverInterval(Duration.ofMillis(200))
				.heartbeatInterval(Duration.ofMillis(500)))
			.delay((retried, error, task) -> {
				whileAsked.set(this.state.fields(QUEUE, "lost").get("x-attempt"));
				return Duration.ofHours(1);
			})
			.handling((task, context) -> null)
			.start()) {
			await().untilAsserted(() -> this.state.assertRetry(QUEUE, "lost"));
			assertThat(whileAsked).hasValue("fence");
		}
	}

	@Test
	void taskThatCrashesItsServersIsArchivedWithReason() {
		this.state.seedActive(Instant.now().minusSeconds(60), message("poison").build(), message("begun").build(),
				message("first").build(), message("waited").build());
		crashed("poison", "2");
		crashed("begun", "1");
		crashed("waited", "2");
		this.state.seedField(QUEUE, "waited", "x-begun", "another".getBytes());
		try (TestServer server = TestServer.builder(this.factory)
			.options((options) -> options.recoverInterval(Duration.ofMillis(200))
				.heartbeatInterval(Duration.ofMillis(500)))
			.handling((task, context) -> null)
			.start()) {
			await().untilAsserted(() -> this.state.assertRetry(QUEUE, "begun", "first"));
			await().untilAsserted(() -> this.state.assertArchived(QUEUE, "poison"));
			assertThat(this.state.stored(QUEUE, "poison").errorMessage()).contains("took down 3 servers",
					"asynq.server.max-crashes", "earlier:1 2026-01-01T00:00:00Z, killed:7 20");
			assertThat(this.state.fields(QUEUE, "poison")).containsOnlyKeys("state");
			assertThat(this.state.fields(QUEUE, "begun")).containsEntry("x-crashes", "2").containsKey("x-suspect");
			assertThat(this.state.fields(QUEUE, "first")).containsKey("x-suspect").doesNotContainKey("x-crashes");
			await().untilAsserted(() -> this.state.assertCounters(QUEUE, 4, 3));
			assertThat(this.state.exists("asynq:{default}:t:waited")).isFalse();
			await().untilAsserted(() -> assertThat(server.server().statistics().recovered()).isEqualTo(4));
			await().untilAsserted(() -> assertThat(server.server().statistics().poisoned()).isEqualTo(1));
			await().untilAsserted(() -> assertThat(server.server().statistics().archived()).isEqualTo(1));
			await().untilAsserted(
					() -> assertThat(server.server().statistics().crashed()).as("all but the first-time suspect")
						.isEqualTo(3));
		}
	}

	private void crashed(String id, String times) {
		this.state.seedField(QUEUE, id, "x-attempt", "fence".getBytes());
		this.state.seedField(QUEUE, id, "x-begun", "fence".getBytes());
		this.state.seedField(QUEUE, id, "x-server", "killed:7".getBytes());
		this.state.seedField(QUEUE, id, "x-suspect", "claim".getBytes());
		this.state.seedField(QUEUE, id, "x-crashes", times.getBytes());
		this.state.seedField(QUEUE, id, "x-deaths", "earlier:1 2026-01-01T00:00:00Z".getBytes());
	}

	@Test
	void taskListedByLiveServerIsRecoveredAfterGrace() {
		this.state.seedActive(Instant.now().minusSeconds(60), message("listed").build(), message("lost").build());
		this.state.redis().opsForZSet().add("asynq:workers", "asynq:workers:{h:1:s}", 1);
		this.state.redis().opsForHash().put("asynq:workers:{h:1:s}", "listed", "info");
		try (TestServer server = TestServer.builder(this.factory)
			.options((options) -> options.recoverInterval(Duration.ofMillis(200))
				.heartbeatInterval(Duration.ofMillis(500)))
			.handling((task, context) -> null)
			.start()) {
			await().untilAsserted(() -> this.state.assertRetry(QUEUE, "lost"));
			this.state.assertActive(QUEUE, "listed");
			this.state.redis().delete("asynq:workers:{h:1:s}");
			await().untilAsserted(() -> this.state.assertRetry(QUEUE, "lost", "listed"));
			await().untilAsserted(() -> assertThat(server.server().statistics().recovered()).isEqualTo(2));
		}
	}

	@Test
	void lostTaskIsRecoveredWhenLeaseExpiresWhateverTheInterval() {
		this.state.seedActive(Instant.now().plusSeconds(3), message("lost").build());
		try (TestServer server = TestServer.builder(this.factory)
			.lease(Duration.ofSeconds(10))
			.options((options) -> options.recoverInterval(Duration.ofMinutes(5))
				.heartbeatInterval(Duration.ofMillis(500)))
			.handling((task, context) -> null)
			.start()) {
			await().untilAsserted(() -> this.state.assertRetry(QUEUE, "lost"));
			await().untilAsserted(() -> assertThat(server.server().statistics().recovered()).isEqualTo(1));
		}
	}

	@Test
	void taskDeliveredAfterItsLeaseExpiredIsRequeuedUncounted() {
		AtomicInteger dequeues = new AtomicInteger();
		AtomicInteger runs = new AtomicInteger();
		try (TestServer server = TestServer.builder(this.factory).dequeuer((dequeuer) -> (queue, max) -> {
			Dequeued dequeued = dequeuer.dequeue(queue, max);
			if (!dequeued.tasks().isEmpty() && dequeues.incrementAndGet() == 1) {
				dequeued.tasks().forEach((task) -> task.lease().extendedTo(System.nanoTime() - 1));
			}
			return dequeued;
		}).handling((task, context) -> {
			runs.incrementAndGet();
			return null;
		}).start()) {
			server.enqueue(message("late").build());
			await().untilAsserted(() -> this.state.assertCounters(QUEUE, 1, 0));
			assertThat(dequeues).hasValue(2);
			assertThat(runs).hasValue(1);
		}
	}

	@Test
	@RequiresGo
	void taskOfUnansweredDequeueRunsAtOnceWithoutPenalty() {
		AtomicInteger retried = new AtomicInteger(-1);
		try (LossyProxy relay = LossyProxy.start(this.redis.port())) {
			JedisConnectionFactory relayed = new JedisConnectionFactory(
					new RedisStandaloneConfiguration(this.redis.host(), relay.port()),
					((JedisConnectionFactory) this.factory).getClientConfiguration());
			relayed.afterPropertiesSet();
			relayed.start();
			this.state.seedPending(message("lost").maxRetry(0).build());
			relay.loseAnswerTo(":paused");
			try (TestServer server = TestServer.builder(relayed).handling((task, context) -> {
				retried.set(context.retryCount());
				return null;
			}).start()) {
				await().untilAsserted(() -> this.state.assertCounters(QUEUE, 1, 0));
				assertThat(relay.lost()).isEqualTo(1);
				assertThat(retried).hasValue(0);
			}
			finally {
				relayed.destroy();
			}
		}
	}

	@Test
	@Tag("slow")
	void longTasksKeepTheirLease() throws Exception {
		CountDownLatch release = new CountDownLatch(1);
		try (TestServer server = TestServer.builder(this.factory)
			.lease(Duration.ofSeconds(8))
			.options((options) -> options.heartbeatInterval(Duration.ofMillis(300))
				.recoverInterval(Duration.ofMillis(200))
				.recoverGrace(Duration.ZERO))
			.handling((task, context) -> {
				release.await();
				return null;
			})
			.start()) {
			server.enqueue(message("t1").build());
			await().until(() -> !this.state.scores(QUEUE, "lease").isEmpty());
			long first = this.state.scores(QUEUE, "lease").get("t1");
			await().until(() -> this.state.scores(QUEUE, "lease").get("t1") > first + 8);
			this.state.assertActive(QUEUE, "t1");
			release.countDown();
			await().untilAsserted(() -> this.state.assertCounters(QUEUE, 1, 0));
		}
	}

	@Test
	@Tag("slow")
	void taskWithLostLeaseIsInterruptedAndReportsNothing() throws Exception {
		BlockingQueue<Throwable> errors = new LinkedBlockingQueue<>();
		CountDownLatch running = new CountDownLatch(1);
		try (TestServer server = TestServer.builder(this.factory)
			.lease(Duration.ofSeconds(8))
			// A second look of the recoverer would give the task another lease
			.options((options) -> options.heartbeatInterval(Duration.ofMillis(300))
				.recoverInterval(Duration.ofMinutes(5)))
			.errors((task, context, error) -> errors.add(error))
			.handling((task, context) -> {
				running.countDown();
				new CountDownLatch(1).await();
				return null;
			})
			.start()) {
			server.enqueue(message("t1").build());
			assertThat(running.await(60, TimeUnit.SECONDS)).isTrue();
			this.state.redis().delete("asynq:{default}:lease");
			Throwable error = errors.poll(60, TimeUnit.SECONDS);
			assertThat(error).hasMessage("asynq: task lease expired");
			assertThat(server.server().statistics().leasesLost()).isEqualTo(1);
			assertThat(this.state.active(QUEUE)).containsExactly("t1");
			assertThat(this.state.exists("asynq:{default}:processed")).isFalse();
		}
	}

	@Test
	@Tag("slow")
	void logPromisesNoRecoveryOfTaskMissingInRedis() throws Exception {
		Logger logger = (Logger) LoggerFactory.getLogger(TaskExecution.class);
		ListAppender<ILoggingEvent> log = new ListAppender<>();
		log.start();
		logger.addAppender(log);
		BlockingQueue<Throwable> errors = new LinkedBlockingQueue<>();
		CountDownLatch running = new CountDownLatch(1);
		try (TestServer server = TestServer.builder(this.factory)
			.lease(Duration.ofSeconds(8))
			.options((options) -> options.heartbeatInterval(Duration.ofMillis(300)))
			.errors((task, context, error) -> errors.add(error))
			.handling((task, context) -> {
				running.countDown();
				new CountDownLatch(1).await();
				return null;
			})
			.start()) {
			server.enqueue(message("t1").build());
			assertThat(running.await(60, TimeUnit.SECONDS)).isTrue();
			this.state.redis().execute((RedisConnection connection) -> {
				connection.serverCommands().flushAll();
				return null;
			});
			assertThat(errors.poll(60, TimeUnit.SECONDS)).hasMessage("asynq: task lease expired");
			assertThat(log.list).extracting(ILoggingEvent::getFormattedMessage)
				.singleElement()
				.asString()
				.contains("task t1", "Redis no longer knows the task")
				.doesNotContain("recovered");
		}
		finally {
			logger.detachAppender(log);
		}
	}

	@Test
	void queueWithBrokenLeasesAffectsNoOtherQueue() throws Exception {
		CountDownLatch running = new CountDownLatch(2);
		CountDownLatch release = new CountDownLatch(1);
		try (TestServer server = TestServer.builder(this.factory)
			.options((options) -> options.queue("a", 1).queue("b", 1).heartbeatInterval(Duration.ofMillis(200)))
			.handling((task, context) -> {
				running.countDown();
				release.await();
				return null;
			})
			.start()) {
			server.enqueue(RedisState.message("a", "t1").build());
			server.enqueue(RedisState.message("b", "t2").build());
			assertThat(running.await(60, TimeUnit.SECONDS)).isTrue();
			this.state.redis().delete(List.of("asynq:{a}:lease", "asynq:{b}:lease"));
			this.state.redis().opsForValue().set("asynq:{a}:lease", "text");
			String attempt = this.state.fields("b", "t2").get("x-attempt");
			this.state.seedField("b", "t2", "x-attempt",
					attempt.replaceFirst("@\\d+", "@1").getBytes(StandardCharsets.UTF_8));
			this.state.redis().opsForZSet().add("asynq:{b}:lease", "t2", 1);
			await().until(() -> this.state.scores("b", "lease").get("t2") > 1);
			release.countDown();
		}
	}

	private static TaskMessage.Builder message(String id) {
		return RedisState.message(QUEUE, id);
	}

}
