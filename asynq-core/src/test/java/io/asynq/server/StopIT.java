package io.asynq.server;

import java.time.Duration;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

import io.asynq.broker.TaskMessage;
import io.asynq.broker.redis.RedisState;
import io.asynq.test.RedisExtension;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import sun.misc.Signal;

import org.springframework.data.redis.connection.RedisConnectionFactory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Stopping, pausing and starting again.
 */
@ExtendWith(RedisExtension.class)
@Timeout(60)
class StopIT {

	private static final String QUEUE = "default";

	private final RedisConnectionFactory factory;

	private final RedisState state;

	StopIT(RedisConnectionFactory factory) {
		this.factory = factory;
		this.state = new RedisState(factory);
	}

	@Test
	void aShutdownPutsUnfinishedTasksBackToTheFrontInTheirOrderAndCountsNothing() throws Exception {
		CountDownLatch running = new CountDownLatch(4);
		List<String> order = new CopyOnWriteArrayList<>();
		TestServer server = TestServer.builder(this.factory)
			.options((options) -> options.shutdownTimeout(Duration.ofMillis(200)))
			.handling((task, context) -> {
				order.add(context.taskId());
				running.countDown();
				new CountDownLatch(1).await();
				return null;
			});
		for (int i = 0; i < 6; i++) {
			server.enqueue(message("t" + i).build());
		}
		server.start();
		assertThat(running.await(5, TimeUnit.SECONDS)).isTrue();
		server.stop();
		this.state.assertPending(QUEUE, "t0", "t1", "t2", "t3", "t4", "t5");
		this.state.assertActive(QUEUE);
		assertThat(order).containsExactlyInAnyOrder("t0", "t1", "t2", "t3");
		assertThat(this.state.exists("asynq:{default}:processed")).isFalse();
		assertThat(this.state.exists("asynq:servers")).isFalse();
		assertThat(server.server().state()).isEqualTo(ServerState.CLOSED);
	}

	@Test
	void aShutdownWaitsForWhatFinishesInTime() throws Exception {
		CountDownLatch running = new CountDownLatch(1);
		TestServer server = TestServer.builder(this.factory).handling((task, context) -> {
			running.countDown();
			LockSupport.parkNanos(Duration.ofMillis(300).toNanos());
			return null;
		});
		server.enqueue(message("t1").build());
		server.start();
		assertThat(running.await(5, TimeUnit.SECONDS)).isTrue();
		server.stop();
		this.state.assertCounters(QUEUE, today(), 1, 0);
		this.state.assertPending(QUEUE);
	}

	@Test
	void aQuietServerFinishesWhatItHasAndTakesNothingMore() throws Exception {
		CountDownLatch running = new CountDownLatch(1);
		CountDownLatch release = new CountDownLatch(1);
		try (TestServer server = TestServer.builder(this.factory).handling((task, context) -> {
			running.countDown();
			release.await();
			return null;
		}).start()) {
			server.enqueue(message("t1").build());
			assertThat(running.await(5, TimeUnit.SECONDS)).isTrue();
			server.server().quiet();
			assertThat(server.server().state()).isEqualTo(ServerState.STOPPED);
			server.enqueue(message("t2").build());
			release.countDown();
			await().untilAsserted(() -> this.state.assertCounters(QUEUE, today(), 1, 0));
			this.state.assertPending(QUEUE, "t2");
		}
	}

	@Test
	void theSignalTstpMakesTheServerQuiet() {
		try (TestServer server = TestServer.builder(this.factory)
			.options((options) -> options.handleTstp(true))
			.handling((task, context) -> null)
			.start()) {
			Signal.raise(new Signal("TSTP"));
			await().until(() -> server.server().state() == ServerState.STOPPED);
		}
	}

	@Test
	void startingTwiceDoesNothing() {
		try (TestServer server = TestServer.builder(this.factory).handling((task, context) -> null).start()) {
			server.start();
			assertThat(server.server().state()).isEqualTo(ServerState.ACTIVE);
			server.enqueue(message("t1").build());
			await().untilAsserted(() -> this.state.assertCounters(QUEUE, today(), 1, 0));
			assertThat(server.broker.fleet().servers()).hasSize(1);
			assertThat(Thread.getAllStackTraces().keySet()).map(Thread::getName)
				// Two loops subscribe, each has a probe
				.filteredOn((name) -> name.matches("asynq-[a-z-]+") && !name.equals("asynq-subscription-probe"))
				.contains("asynq-processor")
				.doesNotHaveDuplicates();
		}
	}

	@Test
	void startsAgainAfterAStop() {
		try (TestServer server = TestServer.builder(this.factory).handling((task, context) -> null)) {
			for (int round = 1; round <= 3; round++) {
				server.start();
				server.enqueue(message("t" + round).build());
				int processed = round;
				await().untilAsserted(() -> this.state.assertCounters(QUEUE, today(), processed, 0));
				server.stop();
				assertThat(server.components.all()).noneMatch((part) -> part.isRunning());
			}
		}
	}

	private static TaskMessage.Builder message(String id) {
		return RedisState.message(QUEUE, id);
	}

	private static LocalDate today() {
		return LocalDate.now(ZoneOffset.UTC);
	}

}
