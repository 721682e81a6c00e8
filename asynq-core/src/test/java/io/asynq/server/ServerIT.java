package io.asynq.server;

import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.asynq.RevokeTaskException;
import io.asynq.SkipRetryException;
import io.asynq.TaskCanceledException;
import io.asynq.TaskDeadlineExceededException;
import io.asynq.broker.EnqueueRequest;
import io.asynq.broker.Placement;
import io.asynq.broker.TaskMessage;
import io.asynq.broker.redis.RedisState;
import io.asynq.test.RedisExtension;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.slf4j.LoggerFactory;
import sun.misc.Signal;

import org.springframework.data.redis.connection.RedisConnectionFactory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * What a server does with tasks, on a real Redis.
 */
@ExtendWith(RedisExtension.class)
@Timeout(60)
class ServerIT {

	private static final String QUEUE = "default";

	private final RedisConnectionFactory factory;

	private final RedisState state;

	ServerIT(RedisConnectionFactory factory) {
		this.factory = factory;
		this.state = new RedisState(factory);
	}

	@Test
	void everyOutcomeEndsWhereItShould() {
		try (TestServer server = TestServer.builder(this.factory)
			.handling((task, context) -> switch (context.taskId()) {
				case "fails" -> throw new IllegalStateException("boom");
				case "error" -> throw new AssertionError("broken");
				case "skips" -> throw new SkipRetryException("no use");
				case "revokes" -> throw new RevokeTaskException("not needed");
				case "returns" -> "42".getBytes();
				default -> (context.maxRetry() > 0) ? null : fail();
			})) {
			for (String id : List.of("ok", "fails", "error", "skips", "revokes")) {
				server.enqueue(message(id).build());
			}
			server.enqueue(message("exhausted").maxRetry(0).build());
			server.enqueue(message("returns").retentionSeconds(60).build());
			server.start();
			await().untilAsserted(() -> this.state.assertCounters(QUEUE, today(), 7, 4));
			this.state.assertRetry(QUEUE, "fails", "error");
			this.state.assertArchived(QUEUE, "skips", "exhausted");
			this.state.assertCompleted(QUEUE, "returns");
			this.state.assertActive(QUEUE);
			assertThat(this.state.stored(QUEUE, "fails").errorMessage())
				.isEqualTo("java.lang.IllegalStateException: boom");
			assertThat(this.state.fields(QUEUE, "returns")).containsEntry("result", "42");
		}
	}

	@Test
	void anErrorOfTheJvmFailsItsTaskAndReachesTheThreadsHandlerWhileTheServerLives() throws Exception {
		BlockingQueue<Throwable> uncaught = new LinkedBlockingQueue<>();
		Thread.UncaughtExceptionHandler before = Thread.getDefaultUncaughtExceptionHandler();
		Thread.setDefaultUncaughtExceptionHandler((thread, error) -> uncaught.add(error));
		try (TestServer server = TestServer.builder(this.factory).handling((task, context) -> {
			if (context.taskId().equals("oom")) {
				throw new OutOfMemoryError("planted");
			}
			return null;
		}).start()) {
			server.enqueue(message("oom").build());
			server.enqueue(message("ok").build());
			await().dontCatchUncaughtExceptions().untilAsserted(() -> this.state.assertCounters(QUEUE, today(), 2, 1));
			this.state.assertRetry(QUEUE, "oom");
			assertThat(uncaught.poll(5, TimeUnit.SECONDS)).isInstanceOf(OutOfMemoryError.class);
		}
		finally {
			Thread.setDefaultUncaughtExceptionHandler(before);
		}
	}

	@Test
	void anErrorHandlerThatThrowsChangesNothing() {
		try (TestServer server = TestServer.builder(this.factory).errors((task, context, error) -> {
			throw new IllegalStateException("error handler");
		}).handling((task, context) -> fail()).start()) {
			server.enqueue(message("t1").build());
			await().untilAsserted(() -> this.state.assertRetry(QUEUE, "t1"));
		}
	}

	@Test
	void atItsDeadlineATaskIsInterruptedAndReportedAtOnceWhileItsWorkerStaysTaken() throws Exception {
		CountDownLatch release = new CountDownLatch(1);
		CountDownLatch interrupted = new CountDownLatch(1);
		BlockingQueue<Throwable> errors = new LinkedBlockingQueue<>();
		CountDownLatch second = new CountDownLatch(1);
		try (TestServer server = TestServer.builder(this.factory)
			.options((options) -> options.concurrency(1))
			.errors((task, context, error) -> errors.add(error))
			.handling((task, context) -> {
				if (context.taskId().equals("second")) {
					assertThat(Thread.currentThread().isInterrupted()).isFalse();
					second.countDown();
					return null;
				}
				ignoreInterrupts(release, interrupted);
				return null;
			})
			.start()) {
			server.enqueue(message("slow").timeoutSeconds(1).build());
			server.enqueue(message("second").build());
			assertThat(interrupted.await(5, TimeUnit.SECONDS)).isTrue();
			await().untilAsserted(() -> this.state.assertRetry(QUEUE, "slow"));
			assertThat(this.state.stored(QUEUE, "slow").errorMessage()).isEqualTo("context deadline exceeded");
			assertThat(errors.poll(1, TimeUnit.SECONDS)).isInstanceOf(TaskDeadlineExceededException.class);
			this.state.assertPending(QUEUE, "second");
			assertThat(server.server().statistics().activeWorkers()).isEqualTo(1);
			release.countDown();
			assertThat(second.await(5, TimeUnit.SECONDS)).isTrue();
			await().untilAsserted(() -> this.state.assertCounters(QUEUE, today(), 2, 1));
			assertThat(server.server().statistics().outcomesDropped()).isEqualTo(1);
		}
	}

	@Test
	void aHandlerThatIgnoresItsInterruptIsLoggedWithItsStackAndCounted() throws Exception {
		Logger logger = (Logger) LoggerFactory.getLogger(DeadlineWatch.class);
		ListAppender<ILoggingEvent> log = new ListAppender<>();
		log.start();
		logger.addAppender(log);
		CountDownLatch release = new CountDownLatch(1);
		try (TestServer server = TestServer.builder(this.factory)
			.options((options) -> options.stuckHandlerTimeout(Duration.ofMillis(300)))
			.handling((task, context) -> {
				ignoreInterrupts(release, new CountDownLatch(1));
				return null;
			})
			.start()) {
			server.enqueue(message("stuck").timeoutSeconds(1).build());
			await().until(() -> server.server().statistics().stuckHandlers() == 1);
			assertThat(log.list).singleElement().satisfies((event) -> {
				assertThat(event.getFormattedMessage()).contains("stuck").contains("email:send");
				assertThat(event.getThrowableProxy().getStackTraceElementProxyArray())
					.anyMatch((frame) -> frame.getStackTraceElement().getMethodName().equals("ignoreInterrupts"));
			});
			release.countDown();
		}
		finally {
			logger.detachAppender(log);
		}
	}

	@Test
	void aTaskPastItsDeadlineFailsWithoutItsHandler() {
		AtomicInteger handled = new AtomicInteger();
		try (TestServer server = TestServer.builder(this.factory).handling((task, context) -> {
			handled.incrementAndGet();
			return null;
		}).start()) {
			server.enqueue(message("late").timeoutSeconds(0).deadlineSeconds(1_700_000_000).build());
			await().untilAsserted(() -> this.state.assertRetry(QUEUE, "late"));
			assertThat(handled).hasValue(0);
		}
	}

	@Test
	void aCancelledTaskIsInterruptedAndRetried() throws Exception {
		CountDownLatch running = new CountDownLatch(1);
		BlockingQueue<Throwable> seen = new LinkedBlockingQueue<>();
		try (TestServer server = TestServer.builder(this.factory).handling((task, context) -> {
			running.countDown();
			try {
				new CountDownLatch(1).await();
			}
			catch (InterruptedException ex) {
				seen.add(context.cancellation());
			}
			return null;
		}).start()) {
			server.enqueue(message("t1").build());
			assertThat(running.await(5, TimeUnit.SECONDS)).isTrue();
			await().until(() -> this.state.redis()
				.execute(
						(connection) -> subscribers(
								connection.execute("PUBSUB", "NUMSUB".getBytes(), "asynq:cancel".getBytes())),
						true) == 1);
			server.broker.cancellations().publish("t1");
			assertThat(seen.poll(5, TimeUnit.SECONDS)).isInstanceOf(TaskCanceledException.class);
			await().untilAsserted(() -> this.state.assertRetry(QUEUE, "t1"));
			assertThat(this.state.stored(QUEUE, "t1").errorMessage()).isEqualTo("context canceled");
		}
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
	void aTaskThatCannotBeStartedGoesBackAndTheLoopGoesOn() {
		AtomicInteger refused = new AtomicInteger();
		ServerPolicies policies = ServerPolicies.defaults();
		try (TestServer server = TestServer.builder(this.factory).decorator((attempt) -> {
			if (refused.getAndIncrement() == 0) {
				throw new OutOfMemoryError("planted: unable to create native thread");
			}
			return policies.decorator().decorate(attempt);
		}).handling((task, context) -> null).start()) {
			server.enqueue(message("t1").build());
			server.enqueue(message("t2").build());
			await().dontCatchUncaughtExceptions().untilAsserted(() -> this.state.assertCounters(QUEUE, today(), 2, 0));
			this.state.assertActive(QUEUE);
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

	@Test
	void anIdleServerIsWokenByAnArrivalAndByAResume() {
		BlockingQueue<Instant> handled = new LinkedBlockingQueue<>();
		try (TestServer server = TestServer.builder(this.factory)
			.options((options) -> options.taskCheckInterval(Duration.ofMinutes(5)))
			.handling((task, context) -> {
				handled.add(Instant.now());
				return null;
			})
			.start()) {
			awaitWatching();
			this.state.redis().opsForValue().set("asynq:{default}:paused", "1");
			server.enqueue(message("t1").build());
			this.state.redis().delete("asynq:{default}:paused");
			await().atMost(Duration.ofSeconds(1)).until(() -> handled.size() == 1);
			server.enqueue(message("t2").build());
			await().atMost(Duration.ofSeconds(1)).until(() -> handled.size() == 2);
		}
	}

	@Test
	void watchesThatGotLostAreMadeAgain() {
		BlockingQueue<String> handled = new LinkedBlockingQueue<>();
		try (TestServer server = TestServer.builder(this.factory).handling((task, context) -> {
			handled.add(context.taskId());
			return null;
		}).start()) {
			awaitWatching();
			killReader();
			server.enqueue(message("t1").build());
			await().atMost(Duration.ofSeconds(15)).until(() -> handled.size() == 1);
			awaitWatching();
			server.enqueue(message("t2").build());
			await().atMost(Duration.ofSeconds(1)).until(() -> handled.size() == 2);
		}
	}

	@Test
	void aScheduledTaskRunsWhenItIsDue() throws Exception {
		BlockingQueue<Instant> handled = new LinkedBlockingQueue<>();
		try (TestServer server = TestServer.builder(this.factory)
			.options((options) -> options.taskCheckInterval(Duration.ofMinutes(5))
				.delayedTaskCheckInterval(Duration.ofMinutes(5)))
			.handling((task, context) -> {
				handled.add(Instant.now());
				return null;
			})
			.start()) {
			awaitWatching();
			Instant due = Instant.ofEpochSecond(Instant.now().getEpochSecond() + 2);
			server.schedule(message("t1").build(), due);
			Instant started = handled.poll(10, TimeUnit.SECONDS);
			assertThat(Duration.between(due, started)).isBetween(Duration.ofMillis(-5), Duration.ofSeconds(1));
		}
	}

	@Test
	void aTaskWhoseServerIsGoneIsRecovered() {
		this.state.seedActive(Instant.now().minusSeconds(60), message("lost").build());
		this.state.seedActive(Instant.now().minusSeconds(60), message("last").retried(25).build());
		this.state.seedActive(null, message("leaseless").build());
		try (TestServer server = TestServer.builder(this.factory)
			.options((options) -> options.recoverInterval(Duration.ofMillis(200)))
			.handling((task, context) -> null)
			.start()) {
			await().untilAsserted(() -> this.state.assertRetry(QUEUE, "lost", "leaseless"));
			this.state.assertArchived(QUEUE, "last");
			this.state.assertActive(QUEUE);
			assertThat(this.state.stored(QUEUE, "lost").errorMessage()).isEqualTo("asynq: task lease expired");
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

	@Test
	void sameIdInTwoQueuesIsTwoTasks() throws Exception {
		CountDownLatch both = new CountDownLatch(2);
		CountDownLatch release = new CountDownLatch(1);
		try (TestServer server = TestServer.builder(this.factory)
			.options((options) -> options.queue("a", 1).queue("b", 1))
			.handling((task, context) -> {
				both.countDown();
				release.await();
				return null;
			})
			.start()) {
			server.enqueue(RedisState.message("a", "same").build());
			server.enqueue(RedisState.message("b", "same").build());
			assertThat(both.await(5, TimeUnit.SECONDS)).isTrue();
			assertThat(server.server().statistics().activeWorkers()).isEqualTo(2);
			release.countDown();
			await().untilAsserted(() -> {
				this.state.assertCounters("a", today(), 1, 0);
				this.state.assertCounters("b", today(), 1, 0);
			});
		}
	}

	@Test
	void weightsHoldOverTenThousandTasks() throws Exception {
		int rounds = 2000;
		AtomicInteger handled = new AtomicInteger();
		String[] sequence = new String[10_000];
		try (TestServer server = TestServer.builder(this.factory)
			.options((options) -> options.queue("critical", 6).queue("default", 3).queue("low", 1))
			.handling((task, context) -> {
				int place = handled.getAndIncrement();
				if (place < sequence.length) {
					sequence[place] = context.queue();
				}
				return null;
			})) {
			for (String queue : List.of("critical", "default", "low")) {
				TaskMessage[] messages = new TaskMessage[rounds * 4];
				for (int i = 0; i < messages.length; i++) {
					messages[i] = RedisState.message(queue, "t" + i).build();
				}
				server.broker.enqueuer()
					.enqueueAll(Arrays.stream(messages)
						.map((message) -> new EnqueueRequest(message, new Placement.Pending(), null))
						.toList());
			}
			server.start();
			await().atMost(Duration.ofSeconds(40)).until(() -> handled.get() >= sequence.length);
		}
		for (String queue : List.of("critical", "default", "low")) {
			long share = Arrays.stream(sequence).filter(queue::equals).count();
			double expected = switch (queue) {
				case "critical" -> 60;
				case "default" -> 30;
				default -> 10;
			};
			assertThat(share / 100.0).as(queue).isBetween(expected - 2, expected + 2);
		}
	}

	/**
	 * Ends the connection over which the server reads what it watches.
	 */
	private void killReader() {
		this.state.redis().execute((connection) -> {
			String clients = new String((byte[]) connection.execute("CLIENT", "LIST".getBytes()));
			String reader = clients.lines().filter((line) -> line.contains(" flags=t ")).findFirst().orElseThrow();
			return connection.execute("CLIENT", "KILL".getBytes(), "ID".getBytes(),
					reader.substring("id=".length(), reader.indexOf(' ')).getBytes());
		}, true);
	}

	/**
	 * Waits until pending, paused, scheduled and retry are watched.
	 */
	private void awaitWatching() {
		await().until(() -> this.state.redis()
			.execute((connection) -> connection.serverCommands().info("stats"), true)
			.getProperty("tracking_total_keys")
			.equals("4"));
	}

	private static long subscribers(Object answer) {
		return (Long) ((List<?>) answer).get(1);
	}

	private static byte[] fail() {
		throw new IllegalStateException("boom");
	}

	private static void ignoreInterrupts(CountDownLatch release, CountDownLatch interrupted) {
		while (true) {
			try {
				release.await();
				return;
			}
			catch (InterruptedException ex) {
				interrupted.countDown();
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
