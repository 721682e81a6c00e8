package io.asynq.schedule;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.asynq.BrokerException;
import io.asynq.BrokerUnavailableException;
import io.asynq.DuplicateTaskException;
import io.asynq.Task;
import io.asynq.TaskInfo;
import io.asynq.TaskOptions;
import io.asynq.internal.lifecycle.LoopErrorLog;
import io.asynq.internal.schedule.DefaultAsynqScheduler;
import io.asynq.internal.schedule.FireJob;
import io.asynq.internal.text.LogCapture;
import io.asynq.test.Tier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.slf4j.LoggerFactory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Fires that fail, hang, or meet a Redis that does not answer.
 */
class TroubledFiresTests {

	private static final Duration MINUTE = Duration.ofMinutes(1);

	private static final PeriodicTaskDefinition MINUTELY = PeriodicTaskDefinition
		.of("* * * * *", Task.of("report", "{}"))
		.id("m");

	@Test
	void listenerExceptionChangesNothing() {
		SchedulerListener broken = new SchedulerListener() {

			@Override
			public void beforeEnqueue(String entryId, Task task, TaskOptions options) {
				throw new IllegalStateException("before");
			}

			@Override
			public void afterEnqueue(String entryId, @Nullable TaskInfo info, @Nullable Exception error) {
				throw new AssertionError("after");
			}

		};
		try (SchedulerFixture fixture = new SchedulerFixture(broken)) {
			fixture.scheduler.register(MINUTELY);
			fixture.scheduler.start();
			fixture.advance(MINUTE);
			fixture.awaitTold("before m report", "after m default");
			fixture.advance(MINUTE);
			fixture.awaitTold("before m report", "after m default", "before m report", "after m default");
		}
	}

	@Test
	void fireWhoseTaskAnInterceptorRefusesFailsAndTheNextHappens() {
		try (SchedulerFixture fixture = new SchedulerFixture();
				LogCapture log = LogCapture.of(FireJob.class, Level.WARN)) {
			fixture.interceptor = (task) -> {
				throw new AssertionError("no tenant");
			};
			fixture.scheduler.register(MINUTELY);
			fixture.scheduler.start();
			fixture.advance(MINUTE);
			fixture.awaitTold("before m report", "after m AsynqException");
			assertThat(log.lines()).singleElement()
				.satisfies((line) -> assertThat(line.getFormattedMessage()).contains("no task could be enqueued",
						"EnqueueInterceptor", "no tenant"));
			assertThat(fixture.broker.requests).isEmpty();
			fixture.interceptor = (task) -> task.header("by", "interceptor");
			fixture.advance(MINUTE);
			await().until(() -> !fixture.broker.requests.isEmpty());
			assertThat(fixture.broker.lastRequest().message().headers()).containsEntry("by", "interceptor");
		}
	}

	@Test
	void stopWithoutRedisIsToldOnce() {
		try (LogCapture log = LogCapture.of(DefaultAsynqScheduler.class, Level.INFO);
				SchedulerFixture fixture = new SchedulerFixture()) {
			fixture.scheduler.register(MINUTELY);
			fixture.scheduler.start();
			await().until(() -> !fixture.broker.scheduling.entries.isEmpty());
			fixture.broker.scheduling.failure = Optional.of(new BrokerUnavailableException("away", null));
			fixture.scheduler.stop();
			assertThat(log.lines()).singleElement()
				.satisfies((line) -> assertThat(line.getFormattedMessage()).contains("will expire", "away"));
		}
	}

	@Test
	void fireThatIsSentAgainIsObservedOnce() {
		try (SchedulerFixture fixture = new SchedulerFixture()) {
			fixture.scheduler.register(MINUTELY);
			fixture.scheduler.start();
			AtomicInteger calls = new AtomicInteger();
			fixture.broker.answer = (request) -> (calls.incrementAndGet() < 3)
					? Optional.of(new BrokerUnavailableException("no answer", null)) : Optional.empty();
			fixture.advance(MINUTE);
			fixture.awaitTold("before m report", "after m default");
			assertThat(calls).hasValue(3);
			assertThat(fixture.recorded.ended("asynq.task.enqueue")).containsExactly("default report succeeded none");
		}
	}

	@ParameterizedTest
	@MethodSource("clusterSafe")
	void refusedFireIsReportedAndNextFireHappens(boolean clusterSafe) {
		try (SchedulerFixture fixture = new SchedulerFixture((options) -> options.clusterSafe(clusterSafe))) {
			fixture.scheduler.register(MINUTELY);
			fixture.scheduler.start();
			fixture.broker.answer = (request) -> Optional.of(new BrokerException("no", null));
			fixture.advance(MINUTE);
			fixture.awaitTold("before m report", "after m BrokerException");
			assertThat(fixture.broker.scheduling.history).isEmpty();
			fixture.broker.answer = (request) -> Optional.of(new DuplicateTaskException("no"));
			fixture.advance(MINUTE);
			await().until(() -> fixture.told.contains("after m DuplicateTaskException"));
			fixture.broker.answer = (request) -> Optional.empty();
			fixture.advance(MINUTE);
			await().until(() -> fixture.told.contains("after m default"));
		}
	}

	@ParameterizedTest
	@MethodSource("clusterSafe")
	void refusalsOfManyEntriesAreLoggedInOneLine(boolean clusterSafe) {
		ListAppender<ILoggingEvent> lines = new ListAppender<>();
		Logger logger = (Logger) LoggerFactory.getLogger(LoopErrorLog.class);
		lines.start();
		logger.addAppender(lines);
		try (SchedulerFixture fixture = new SchedulerFixture((options) -> options.clusterSafe(clusterSafe))) {
			fixture.broker.answer = (request) -> Optional.of(new BrokerException("TRYAGAIN", null));
			for (int i = 0; i < 5; i++) {
				fixture.scheduler.register(PeriodicTaskDefinition.of("* * * * *", Task.of("report", "{}")).id("m" + i));
			}
			fixture.scheduler.start();
			fixture.advance(MINUTE);
			await().until(() -> fixture.told.stream().filter((told) -> told.endsWith("BrokerException")).count() == 5);
			assertThat(lines.list).as("one line in three seconds").hasSizeLessThan(5);
			assertThat(lines.list.get(0).getFormattedMessage()).contains("no task could be enqueued", "TRYAGAIN");
		}
		finally {
			logger.detachAppender(lines);
		}
	}

	static Stream<BrokerException> whileRedisFailsOver() {
		return Stream.of(new BrokerUnavailableException("away", null),
				new BrokerException("LOADING Redis is loading the dataset in memory", null),
				new BrokerException("READONLY You can't write against a read only replica.", null));
	}

	@ParameterizedTest
	@MethodSource("whileRedisFailsOver")
	void repeatsSameTaskUntilRedisAnswers(BrokerException error) {
		try (SchedulerFixture fixture = new SchedulerFixture()) {
			AtomicInteger lost = new AtomicInteger(2);
			fixture.broker.answer = (request) -> (lost.getAndDecrement() > 0) ? Optional.of(error) : Optional.empty();
			fixture.scheduler.register(MINUTELY);
			fixture.scheduler.start();
			fixture.advance(MINUTE);
			fixture.awaitTold("before m report", "after m default");
			assertThat(fixture.broker.scheduling.fires).hasSize(3).containsOnly(fixture.broker.scheduling.fires.get(0));
			assertThat(fixture.broker.requests).extracting((request) -> request.message().id())
				.hasSize(3)
				.containsOnly(fixture.broker.lastRequest().message().id());
		}
	}

	@Test
	void slowFireBlocksNeitherOthersNorItsNextFire() throws InterruptedException {
		CountDownLatch slow = new CountDownLatch(1);
		CountDownLatch overlapping = new CountDownLatch(2);
		try (SchedulerFixture fixture = new SchedulerFixture()) {
			fixture.scheduler.register(PeriodicTaskDefinition.calling("* * * * *", "slow", () -> {
				overlapping.countDown();
				slow.await();
				return "x";
			}).id("s"));
			fixture.scheduler.register(MINUTELY);
			fixture.scheduler.start();
			fixture.advance(MINUTE);
			fixture.awaitTold("before m report", "after m default");
			fixture.advance(MINUTE);
			assertThat(overlapping.await(60, TimeUnit.SECONDS)).isTrue();
			slow.countDown();
			await().until(() -> fixture.told.stream().filter("after s default"::equals).count() == 2);
		}
	}

	@Test
	void hangingEntriesDoNotBlockOthers() {
		CountDownLatch never = new CountDownLatch(1);
		try (SchedulerFixture fixture = new SchedulerFixture()) {
			for (int i = 1; i <= 7; i++) {
				fixture.scheduler.register(PeriodicTaskDefinition.calling("* * * * *", "hangs", () -> {
					never.await();
					return null;
				}).id("hangs-" + i));
			}
			fixture.scheduler.register(MINUTELY);
			fixture.scheduler.start();
			for (int fires = 1; fires <= 20; fires++) {
				fixture.advance(MINUTE);
				int told = 2 * fires;
				await().until(() -> fixture.told.size() == told);
			}
			never.countDown();
		}
	}

	@Test
	void thousandsDueAtOnceAllFire() {
		int entries = 3000;
		CountDownLatch slow = new CountDownLatch(1);
		try (SchedulerFixture fixture = new SchedulerFixture()) {
			fixture.broker.answer = (request) -> {
				awaitForAWhile(slow);
				return Optional.empty();
			};
			IntStream.range(0, entries).forEach((i) -> fixture.scheduler.register(MINUTELY.id("m" + i)));
			fixture.scheduler.start();
			fixture.advance(MINUTE);
			slow.countDown();
			await().until(() -> fixture.broker.requests.size() == entries);
		}
	}

	@Test
	@Tag("slow")
	void fireQueuedDuringOutageDoesNotWaitAgain() {
		int entries = 640;
		try (SchedulerFixture fixture = new SchedulerFixture()) {
			fixture.broker.answer = (request) -> Optional.of(new BrokerUnavailableException("away", null));
			IntStream.range(0, entries).forEach((i) -> fixture.scheduler.register(MINUTELY.id("m" + i)));
			fixture.scheduler.start();
			fixture.advance(MINUTE);
			await().until(() -> fixture.told.size() == 2 * entries);
			assertThat(fixture.broker.scheduling.fires).filteredOn((fire) -> fire.entry().equals("m0"))
				.hasSizeGreaterThan(3);
			assertThat(fixture.broker.scheduling.fires).filteredOn((fire) -> fire.entry().equals("m639"))
				.hasSizeBetween(1, 2);
		}
	}

	@Test
	void supplierTaskForAnotherQueueIsRejectedWithCatchUp() {
		try (SchedulerFixture fixture = new SchedulerFixture()) {
			fixture.scheduler
				.register(
						PeriodicTaskDefinition
							.calling("* * * * *", "",
									() -> Task.of("x", "")
										.withOptions(TaskOptions.of((options) -> options.queue("other"))))
							.id("m")
							.missedFires(MissedFirePolicy.ONCE));
			fixture.scheduler.start();
			fixture.advance(MINUTE);
			fixture.awaitTold("before m x", "after m AsynqException");
		}
	}

	/**
	 * A cluster-safe scheduler repeats a refused fire for five seconds.
	 */
	static List<Boolean> clusterSafe() {
		return Tier.choose(List.of(false), List.of(false, true));
	}

	private static void awaitForAWhile(CountDownLatch latch) {
		try {
			assertThat(latch.await(60, TimeUnit.SECONDS)).isTrue();
		}
		catch (InterruptedException ex) {
			throw new IllegalStateException(ex);
		}
	}

}
