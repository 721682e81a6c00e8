package io.asynq.server;

import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

import io.asynq.broker.Dequeued;
import io.asynq.broker.TaskMessage;
import io.asynq.broker.redis.RedisState;
import io.asynq.test.RedisExtension;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.data.redis.connection.RedisConnectionFactory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Leases that are kept, lost, or that a dead server has left.
 */
@ExtendWith(RedisExtension.class)
@Timeout(60)
class LeasesIT {

	private static final String QUEUE = "default";

	private final RedisConnectionFactory factory;

	private final RedisState state;

	LeasesIT(RedisConnectionFactory factory) {
		this.factory = factory;
		this.state = new RedisState(factory);
	}

	@Test
	void aTaskWhoseServerIsGoneIsRecovered() {
		this.state.seedActive(Instant.now().minusSeconds(60), message("lost").build());
		this.state.seedActive(Instant.now().minusSeconds(60), message("last").retried(25).build());
		this.state.seedActive(null, message("leaseless").build());
		try (TestServer server = TestServer.builder(this.factory)
			.options((options) -> options.recoverInterval(Duration.ofMillis(200))
				.heartbeatInterval(Duration.ofMillis(500)))
			.handling((task, context) -> null)
			.start()) {
			await().untilAsserted(() -> this.state.assertRetry(QUEUE, "lost", "leaseless"));
			this.state.assertArchived(QUEUE, "last");
			this.state.assertActive(QUEUE);
			assertThat(this.state.stored(QUEUE, "lost").errorMessage()).isEqualTo("asynq: task lease expired");
		}
	}

	@Test
	void aTaskThatTakesItsServersDownIsArchivedWithThatReason() {
		this.state.seedActive(Instant.now().minusSeconds(60), message("poison").build(), message("second").build());
		this.state.seedField(QUEUE, "poison", "x-crashes", "2".getBytes());
		try (TestServer server = TestServer.builder(this.factory)
			.options((options) -> options.recoverInterval(Duration.ofMillis(200))
				.heartbeatInterval(Duration.ofMillis(500)))
			.handling((task, context) -> null)
			.start()) {
			await().untilAsserted(() -> this.state.assertRetry(QUEUE, "second"));
			this.state.assertArchived(QUEUE, "poison");
			assertThat(this.state.stored(QUEUE, "poison").errorMessage()).contains("took down 3 servers",
					"asynq.server.max-crashes");
			assertThat(this.state.fields(QUEUE, "poison")).doesNotContainKey("x-crashes");
			assertThat(this.state.fields(QUEUE, "second")).containsEntry("x-crashes", "1");
			assertThat(server.server().statistics().recovered()).isEqualTo(2);
		}
	}

	@Test
	void aTaskThatALiveServerListsIsLeftToItForTheGrace() {
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
			assertThat(server.server().statistics().recovered()).isEqualTo(2);
		}
	}

	@Test
	void aLostTaskIsBackAsSoonAsItsLeaseEndsHoweverLongTheInterval() {
		this.state.seedActive(Instant.now().plusSeconds(3), message("lost").build());
		try (TestServer server = TestServer.builder(this.factory)
			.lease(Duration.ofSeconds(10))
			.options((options) -> options.recoverInterval(Duration.ofMinutes(5))
				.heartbeatInterval(Duration.ofMillis(500)))
			.handling((task, context) -> null)
			.start()) {
			await().untilAsserted(() -> this.state.assertRetry(QUEUE, "lost"));
			assertThat(server.server().statistics().recovered()).isEqualTo(1);
		}
	}

	@Test
	void aTaskThatComesWhenItsLeaseHasEndedIsPutBackUncounted() {
		AtomicInteger dequeues = new AtomicInteger();
		AtomicInteger runs = new AtomicInteger();
		try (TestServer server = TestServer.builder(this.factory).dequeuer((dequeuer) -> (queue, max) -> {
			Dequeued dequeued = dequeuer.dequeue(queue, max);
			if (!dequeued.tasks().isEmpty() && dequeues.incrementAndGet() == 1) {
				dequeued.tasks().forEach((task) -> task.lease().extendedTo(Instant.now().minusSeconds(1)));
			}
			return dequeued;
		}).handling((task, context) -> {
			runs.incrementAndGet();
			return null;
		}).start()) {
			server.enqueue(message("late").build());
			await().untilAsserted(() -> this.state.assertCounters(QUEUE, today(), 1, 0));
			assertThat(dequeues).hasValue(2);
			assertThat(runs).hasValue(1);
		}
	}

	@Test
	void longTasksKeepTheirLease() throws Exception {
		CountDownLatch release = new CountDownLatch(1);
		try (TestServer server = TestServer.builder(this.factory)
			.lease(Duration.ofSeconds(2))
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
			await().atMost(Duration.ofSeconds(20)).until(() -> this.state.scores(QUEUE, "lease").get("t1") > first + 3);
			this.state.assertActive(QUEUE, "t1");
			release.countDown();
			await().untilAsserted(() -> this.state.assertCounters(QUEUE, today(), 1, 0));
		}
	}

	@Test
	void aTaskWhoseLeaseIsLostIsInterruptedAndNothingIsWritten() throws Exception {
		BlockingQueue<Throwable> errors = new LinkedBlockingQueue<>();
		CountDownLatch running = new CountDownLatch(1);
		try (TestServer server = TestServer.builder(this.factory)
			.lease(Duration.ofSeconds(2))
			.options((options) -> options.heartbeatInterval(Duration.ofMillis(300)))
			.errors((task, context, error) -> errors.add(error))
			.handling((task, context) -> {
				running.countDown();
				new CountDownLatch(1).await();
				return null;
			})
			.start()) {
			server.enqueue(message("t1").build());
			assertThat(running.await(5, TimeUnit.SECONDS)).isTrue();
			this.state.redis().delete("asynq:{default}:lease");
			Throwable error = errors.poll(10, TimeUnit.SECONDS);
			assertThat(error).hasMessage("asynq: task lease expired");
			assertThat(server.server().statistics().leasesLost()).isEqualTo(1);
			assertThat(this.state.active(QUEUE)).containsExactly("t1");
			assertThat(this.state.exists("asynq:{default}:processed")).isFalse();
		}
	}

	@Test
	void aQueueWhoseLeasesMakeNoSenseCostsNoOtherItsLeases() throws Exception {
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
			assertThat(running.await(5, TimeUnit.SECONDS)).isTrue();
			this.state.redis().delete(List.of("asynq:{a}:lease", "asynq:{b}:lease"));
			this.state.redis().opsForValue().set("asynq:{a}:lease", "text");
			this.state.redis().opsForZSet().add("asynq:{b}:lease", "t2", 1);
			await().until(() -> this.state.scores("b", "lease").get("t2") > 1);
			release.countDown();
		}
	}

	private static TaskMessage.Builder message(String id) {
		return RedisState.message(QUEUE, id);
	}

	private static LocalDate today() {
		return LocalDate.now(ZoneOffset.UTC);
	}

}
