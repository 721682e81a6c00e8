package io.asynq.server;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BiFunction;
import java.util.stream.Stream;

import io.asynq.handler.SkipRetryException;
import io.asynq.handler.TaskHandlerFunction;
import io.asynq.internal.lifecycle.ServerPhase;
import io.asynq.internal.redis.RedisState;
import io.asynq.internal.redis.TaskMessage;
import io.asynq.internal.worker.Dequeued;
import io.asynq.test.RedisExtension;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import sun.misc.Signal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Stopping, quieting and restarting.
 */
@ExtendWith(RedisExtension.class)
@Timeout(300)
class StopIT {

	private static final String QUEUE = "default";

	private final RedisConnectionFactory factory;

	private final RedisState state;

	StopIT(RedisConnectionFactory factory) {
		this.factory = factory;
		this.state = new RedisState(factory);
	}

	@Test
	void shutdownRequeuesUnfinishedTasksInOrderAndUncounted() throws Exception {
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
		assertThat(running.await(60, TimeUnit.SECONDS)).isTrue();
		server.stop();
		// A stop waits for Redis for a short time only, and leaves what comes later to it
		await().untilAsserted(() -> this.state.assertPending(QUEUE, "t0", "t1", "t2", "t3", "t4", "t5"));
		this.state.assertActive(QUEUE);
		assertThat(order).containsExactlyInAnyOrder("t0", "t1", "t2", "t3");
		assertThat(this.state.exists("asynq:{default}:processed")).isFalse();
		await().until(() -> !this.state.exists("asynq:servers"));
		assertThat(server.server().state()).isEqualTo(ServerState.CLOSED);
	}

	@Test
	void shutdownWaitsForTasksThatFinishInTime() throws Exception {
		CountDownLatch running = new CountDownLatch(1);
		TestServer server = TestServer.builder(this.factory).handling((task, context) -> {
			running.countDown();
			LockSupport.parkNanos(Duration.ofMillis(300).toNanos());
			return null;
		});
		server.enqueue(message("t1").build());
		server.start();
		assertThat(running.await(60, TimeUnit.SECONDS)).isTrue();
		server.stop();
		await().untilAsserted(() -> this.state.assertCounters(QUEUE, 1, 0));
		this.state.assertPending(QUEUE);
	}

	@Test
	void quietServerFinishesItsTasksAndTakesNoMore() throws Exception {
		CountDownLatch running = new CountDownLatch(1);
		CountDownLatch release = new CountDownLatch(1);
		try (TestServer server = TestServer.builder(this.factory).handling((task, context) -> {
			running.countDown();
			release.await();
			return null;
		}).start()) {
			server.enqueue(message("t1").build());
			assertThat(running.await(60, TimeUnit.SECONDS)).isTrue();
			server.server().quiet();
			assertThat(server.server().state()).isEqualTo(ServerState.STOPPED);
			server.enqueue(message("t2").build());
			release.countDown();
			await().untilAsserted(() -> this.state.assertCounters(QUEUE, 1, 0));
			this.state.assertPending(QUEUE, "t2");
		}
	}

	@Test
	void resumedServerTakesTasksAgain() {
		try (TestServer server = TestServer.builder(this.factory).handling((task, context) -> null).start()) {
			server.server().quiet();
			server.enqueue(message("t1").build());
			server.server().resume();
			assertThat(server.server().state()).isEqualTo(ServerState.ACTIVE);
			await().untilAsserted(() -> this.state.assertCounters(QUEUE, 1, 0));
			server.enqueue(message("t2").build());
			await().untilAsserted(() -> this.state.assertCounters(QUEUE, 2, 0));
		}
	}

	@Test
	void signalTstpQuietsServer() {
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
			await().untilAsserted(() -> this.state.assertCounters(QUEUE, 1, 0));
			assertThat(server.broker.fleet().servers()).hasSize(1);
			// Those of servers before may still be about to end
			await().untilAsserted(() -> assertThat(Thread.getAllStackTraces().keySet()).map(Thread::getName)
				// Two loops subscribe, each with a probe
				.filteredOn((name) -> name.matches("asynq-[a-z-]+") && !name.equals("asynq-subscription-probe"))
				.contains("asynq-processor")
				.doesNotHaveDuplicates());
		}
	}

	@Test
	void concurrentStopsEndNothingWhileHandlersRun() throws Exception {
		CountDownLatch running = new CountDownLatch(1);
		CountDownLatch release = new CountDownLatch(1);
		TestServer server = TestServer.builder(this.factory)
			.options((options) -> options.shutdownTimeout(Duration.ofSeconds(30)))
			.handling((task, context) -> {
				running.countDown();
				release.await();
				return null;
			});
		server.enqueue(message("t1").build());
		server.start();
		assertThat(running.await(30, TimeUnit.SECONDS)).isTrue();
		Thread first = new Thread(server::stop, "first");
		Thread second = new Thread(server::stop, "second");
		first.start();
		await().until(() -> server.server().state() == ServerState.CLOSED);
		second.start();
		// Both wait for the processor, which waits for the handler
		await().until(() -> waits(first) && waits(second));
		assertThat(server.components.part(ServerPhase.PROCESSOR).isRunning()).isTrue();
		assertThat(server.components.part(ServerPhase.SYNCER).isRunning()).isTrue();
		assertThat(server.components.part(ServerPhase.HEARTBEATER).isRunning()).isTrue();
		release.countDown();
		first.join(60_000);
		second.join(60_000);
		await().untilAsserted(() -> this.state.assertCounters(QUEUE, 1, 0));
		assertThat(server.components.all()).noneMatch((part) -> part.isRunning());
	}

	@Test
	void outcomeDelayedByHangingErrorHandlerIsWrittenBeforeReporterStops() throws Exception {
		CountDownLatch told = new CountDownLatch(1);
		CountDownLatch release = new CountDownLatch(1);
		TestServer server = TestServer.builder(this.factory)
			.options((options) -> options.shutdownTimeout(Duration.ofMillis(200)))
			.errors((task, context, error) -> {
				told.countDown();
				awaitStubbornly(release);
			})
			.handling((task, context) -> {
				throw new IllegalStateException("boom");
			});
		server.enqueue(message("t1").build());
		server.start();
		assertThat(told.await(30, TimeUnit.SECONDS)).isTrue();
		server.stop();
		await().untilAsserted(() -> this.state.assertRetry(QUEUE, "t1"));
		this.state.assertActive(QUEUE);
		assertThat(this.state.stored(QUEUE, "t1").errorMessage()).contains("boom");
		release.countDown();
	}

	@Test
	void stopEndsThoughRedisDoesNotAnswer() throws Exception {
		CountDownLatch running = new CountDownLatch(2);
		CountDownLatch answers = new CountDownLatch(1);
		AtomicBoolean away = new AtomicBoolean();
		TestServer server = TestServer.builder(this.factory)
			.options((options) -> options.shutdownTimeout(Duration.ofMillis(200)))
			.gate(() -> {
				if (away.get()) {
					awaitStubbornly(answers);
				}
			})
			.handling((task, context) -> {
				running.countDown();
				new CountDownLatch(1).await();
				return null;
			});
		server.enqueue(message("t1").build());
		server.enqueue(message("t2").build());
		server.start();
		assertThat(running.await(30, TimeUnit.SECONDS)).isTrue();
		away.set(true);
		Thread stop = new Thread(server::stop, "stop");
		stop.start();
		stop.join(45_000);
		StackTraceElement[] where = stop.getStackTrace();
		answers.countDown();
		assertThat(where).as("nothing answers before it has ended").isEmpty();
		assertThat(server.components.all()).noneMatch((part) -> part.isRunning());
	}

	@Test
	void hangingFetchIsAbandonedAndItsTasksAreRequeued() throws Exception {
		CountDownLatch fetched = new CountDownLatch(1);
		CountDownLatch answer = new CountDownLatch(1);
		TestServer server = TestServer.builder(this.factory)
			.options((options) -> options.shutdownTimeout(Duration.ofMillis(200)))
			.dequeuer((redis) -> (queue, max) -> {
				Dequeued dequeued = redis.dequeue(queue, max);
				if (!dequeued.tasks().isEmpty()) {
					fetched.countDown();
					awaitStubbornly(answer);
				}
				return dequeued;
			})
			.handling((task, context) -> null);
		server.enqueue(message("t1").build());
		server.start();
		assertThat(fetched.await(60, TimeUnit.SECONDS)).isTrue();
		Thread stop = new Thread(server::stop, "stop");
		stop.start();
		stop.join(60_000);
		assertThat(stop.isAlive()).as("waits for the fetch").isFalse();
		this.state.assertActive(QUEUE, "t1");
		answer.countDown();
		await().untilAsserted(() -> this.state.assertPending(QUEUE, "t1"));
		this.state.assertActive(QUEUE);
	}

	@Test
	void restartsAfterStop() {
		try (TestServer server = TestServer.builder(this.factory).handling((task, context) -> null)) {
			for (int round = 1; round <= 3; round++) {
				server.start();
				server.enqueue(message("t" + round).build());
				int processed = round;
				await().untilAsserted(() -> this.state.assertCounters(QUEUE, processed, 0));
				server.stop();
				assertThat(server.components.all()).noneMatch((part) -> part.isRunning());
			}
		}
	}

	@ParameterizedTest
	@MethodSource("stoppingByThemselves")
	void suspectThatStopsItsServerIsChargedWithCrash(String who,
			BiFunction<TestServer.Builder, Runnable, TestServer> stopping) {
		for (int death = 1; death <= 4; death++) {
			if (death == 1) {
				this.state.seedPending(message("t1").build());
			}
			AtomicReference<TestServer> own = new AtomicReference<>();
			CountDownLatch stopped = new CountDownLatch(1);
			TestServer server = stopping.apply(
					TestServer.builder(this.factory).options((options) -> options.shutdownTimeout(Duration.ofDays(1))),
					() -> {
						own.get().stop();
						stopped.countDown();
					});
			own.set(server);
			server.start();
			await().until(() -> stopped.getCount() == 0);
			await().untilAsserted(() -> this.state.assertActive(QUEUE));
			Map<String, String> fields = this.state.fields(QUEUE, "t1");
			if (death < 4) {
				this.state.assertRetry(QUEUE, "t1");
				assertThat(this.state.stored(QUEUE, "t1").errorMessage()).contains("has stopped its own server");
				assertThat(fields).containsKey("x-suspect").doesNotContainKey("x-attempt");
				assertThat(fields.getOrDefault("x-crashes", "0")).isEqualTo(String.valueOf(death - 1));
				this.state.redis().delete("asynq:{default}:retry");
				this.state.redis().opsForList().leftPush("asynq:{default}:pending", "t1");
				this.state.seedField(QUEUE, "t1", "state", "pending".getBytes());
			}
		}
		this.state.assertArchived(QUEUE, "t1");
		assertThat(this.state.stored(QUEUE, "t1").errorMessage()).contains("took down 3 servers",
				":" + ProcessHandle.current().pid() + " 20");
		assertThat(this.state.fields(QUEUE, "t1")).containsOnlyKeys("state");
	}

	static Stream<Arguments> stoppingByThemselves() {
		TaskHandlerFunction failing = (task, context) -> {
			throw new IllegalStateException("boom");
		};
		return Stream.of(by("the handler", (server, stop) -> server.handling((task, context) -> {
			stop.run();
			return null;
		})), by("the decorator", (server, stop) -> server.decorator((attempt) -> {
			stop.run();
			return attempt;
		}).handling((task, context) -> null)),
				by("the error handler",
						(server, stop) -> server.errors((task, context, error) -> stop.run()).handling(failing)),
				by("the retry policy", (server, stop) -> server.delay((retried, error, task) -> {
					stop.run();
					return Duration.ofHours(1);
				}).handling(failing)), by("the failure predicate", (server, stop) -> server.failures((error) -> {
					stop.run();
					return true;
				}).handling(failing)));
	}

	private static Arguments by(String who, BiFunction<TestServer.Builder, Runnable, TestServer> stopping) {
		return Arguments.of(who, stopping);
	}

	@Test
	void archivedTaskStaysArchivedWhenErrorHandlerStopsServer() {
		AtomicReference<TestServer> own = new AtomicReference<>();
		CountDownLatch stopped = new CountDownLatch(1);
		TestServer server = TestServer.builder(this.factory).errors((task, context, error) -> {
			own.get().stop();
			stopped.countDown();
		}).handling((task, context) -> {
			throw new SkipRetryException("enough");
		});
		own.set(server);
		server.enqueue(message("t1").build());
		server.start();
		await().until(() -> stopped.getCount() == 0);
		await().untilAsserted(() -> this.state.assertArchived(QUEUE, "t1"));
		assertThat(this.state.stored(QUEUE, "t1").errorMessage()).contains("enough");
		assertThat(this.state.fields(QUEUE, "t1")).containsOnlyKeys("state");
	}

	@Test
	void thirdInterruptionByYoungServersPostponesTask() throws Exception {
		this.state.seedPending(message("t1").build(), message("t2").build());
		this.state.seedField(QUEUE, "t2", "x-cut-short", "2".getBytes());
		CountDownLatch running = new CountDownLatch(2);
		TestServer server = TestServer.builder(this.factory)
			.options((options) -> options.shutdownTimeout(Duration.ofMillis(200)))
			.handling((task, context) -> {
				running.countDown();
				new CountDownLatch(1).await();
				return null;
			})
			.start();
		assertThat(running.await(60, TimeUnit.SECONDS)).isTrue();
		long before = Instant.now().getEpochSecond();
		server.stop();
		await().untilAsserted(() -> this.state.assertPending(QUEUE, "t1"));
		assertThat(this.state.fields(QUEUE, "t1")).containsEntry("x-cut-short", "1");
		await().untilAsserted(() -> this.state.assertRetry(QUEUE, "t2"));
		assertThat(this.state.fields(QUEUE, "t2")).containsEntry("x-cut-short", "3");
		assertThat(this.state.scores(QUEUE, "retry").get("t2")).isGreaterThanOrEqualTo(before + 60);
		assertThat(this.state.exists("asynq:{default}:processed")).isFalse();
	}

	private static boolean waits(Thread thread) {
		return thread.getState() == Thread.State.WAITING || thread.getState() == Thread.State.TIMED_WAITING;
	}

	private static void awaitStubbornly(CountDownLatch latch) {
		boolean released = false;
		while (!released) {
			try {
				latch.await();
				released = true;
			}
			catch (InterruptedException ex) {
				// A thread that hangs in a call learns nothing
			}
		}
	}

	private static TaskMessage.Builder message(String id) {
		return RedisState.message(QUEUE, id);
	}

}
