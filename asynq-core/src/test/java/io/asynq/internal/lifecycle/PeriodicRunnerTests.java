package io.asynq.internal.lifecycle;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.LongSupplier;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.asynq.BrokerUnavailableException;
import io.asynq.inspect.LoopInfo;
import io.asynq.internal.text.LogCapture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.slf4j.LoggerFactory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Tests of {@link PeriodicRunner}, and of what its loops log.
 */
@Timeout(300)
class PeriodicRunnerTests {

	private static final Duration FOREVER = Duration.ofHours(1);

	private static final Duration SOON = Duration.ofSeconds(5);

	private final ListAppender<ILoggingEvent> log = new ListAppender<>();

	private final Logger logger = (Logger) LoggerFactory.getLogger(LoopErrorLog.class);

	private final Semaphore runs = new Semaphore(0);

	private volatile PeriodicRunner runner;

	@BeforeEach
	void listen() {
		this.log.start();
		this.logger.addAppender(this.log);
	}

	@AfterEach
	void stop() {
		this.logger.detachAppender(this.log);
		if (this.runner != null) {
			this.runner.stop(SOON);
		}
	}

	@Test
	void runsAtOnceOnNamedThread() throws Exception {
		CompletableFuture<Thread> thread = new CompletableFuture<>();
		start(() -> {
			thread.complete(Thread.currentThread());
			return FOREVER;
		});
		assertThat(thread.get(60, TimeUnit.SECONDS).getName()).isEqualTo("loop");
		assertThat(thread.get().isDaemon()).isTrue();
	}

	@Test
	void runsAgainAfterRequestedDelay() throws Exception {
		AtomicInteger count = new AtomicInteger();
		long start = System.nanoTime();
		start(() -> (count.incrementAndGet() < 3) ? Duration.ofMillis(100) : FOREVER);
		awaitRun();
		awaitRun();
		awaitRun();
		assertThat(System.nanoTime() - start).isGreaterThanOrEqualTo(Duration.ofMillis(200).toNanos());
		assertThat(this.runs.tryAcquire(100, TimeUnit.MILLISECONDS)).isFalse();
	}

	@Test
	void wakeEndsPause() throws Exception {
		start(() -> FOREVER);
		awaitRun();
		this.runner.wake();
		awaitRun();
		assertThat(this.runs.tryAcquire(100, TimeUnit.MILLISECONDS)).isFalse();
	}

	@Test
	void wakeDuringRunIsKept() throws Exception {
		CountDownLatch woken = new CountDownLatch(1);
		start(() -> {
			woken.await();
			return FOREVER;
		});
		awaitRun();
		this.runner.wake();
		woken.countDown();
		awaitRun();
	}

	@Test
	void survivesErrorThatCannotBeLogged() throws Exception {
		this.runner = new PeriodicRunner("loop", () -> {
			this.runs.release();
			throw new OutOfMemoryError("test");
		}, null, true, new Waker());
		this.runner.start();
		awaitRun();
		awaitRun();
	}

	@Test
	void backsOffAfterErrors() throws Exception {
		AtomicInteger count = new AtomicInteger();
		long start = System.nanoTime();
		start(() -> {
			if (count.incrementAndGet() <= 3) {
				throw new BrokerUnavailableException("Redis is away", null);
			}
			return FOREVER;
		});
		for (int i = 0; i < 4; i++) {
			awaitRun();
		}
		// 100, 200 and 400 ms; jitter may subtract half of each, but not below 100
		assertThat(System.nanoTime() - start).isGreaterThanOrEqualTo(Duration.ofMillis(400).toNanos());
	}

	@Test
	void wakeDoesNotShortenBackOff() throws Exception {
		List<Long> times = new CopyOnWriteArrayList<>();
		start(() -> {
			times.add(System.nanoTime());
			if (times.size() <= 4) {
				throw new BrokerUnavailableException("Redis is away", null);
			}
			return FOREVER;
		});
		for (int i = 0; i < 4; i++) {
			awaitRun();
		}
		this.runner.wake();
		await().until(() -> times.size() == 5);
		// 800 ms; jitter may subtract half
		assertThat(times.get(4) - times.get(3)).isGreaterThanOrEqualTo(Duration.ofMillis(400).toNanos());
	}

	@Test
	void survivesErrors() throws Exception {
		AtomicInteger count = new AtomicInteger();
		start(() -> {
			if (count.incrementAndGet() == 1) {
				throw new NoClassDefFoundError("gone");
			}
			return FOREVER;
		});
		awaitRun();
		awaitRun();
		assertThat(this.runner.isRunning()).isTrue();
	}

	@Test
	void continuesAfterInterrupt() throws Exception {
		start(() -> {
			Thread.currentThread().interrupt();
			return Duration.ofMillis(10);
		});
		awaitRun();
		awaitRun();
		awaitRun();
	}

	@Test
	void stopsDuringPause() throws Exception {
		start(() -> FOREVER);
		awaitRun();
		assertThat(this.runner.stop(FOREVER)).isTrue();
		assertThat(this.runner.isRunning()).isFalse();
	}

	@Test
	void stopWaitsForRunInProgress() throws Exception {
		CountDownLatch release = new CountDownLatch(1);
		CountDownLatch ended = new CountDownLatch(1);
		start(() -> {
			release.await();
			ended.countDown();
			return FOREVER;
		});
		awaitRun();
		assertThat(this.runner.stop(Duration.ofMillis(50))).isFalse();
		assertThat(ended.getCount()).isOne();
		release.countDown();
		assertThat(ended.await(60, TimeUnit.SECONDS)).isTrue();
		assertThat(this.runs.tryAcquire(100, TimeUnit.MILLISECONDS)).isFalse();
	}

	@Test
	void canBeStoppedByItsOwnJob() throws Exception {
		AtomicReference<Boolean> stopped = new AtomicReference<>();
		CountDownLatch done = new CountDownLatch(1);
		start(() -> {
			stopped.set(this.runner.stop(FOREVER));
			done.countDown();
			return Duration.ZERO;
		});
		assertThat(done.await(60, TimeUnit.SECONDS)).isTrue();
		assertThat(stopped.get()).isTrue();
		awaitRun();
		assertThat(this.runs.tryAcquire(100, TimeUnit.MILLISECONDS)).isFalse();
	}

	@Test
	void restartsAfterStop() throws Exception {
		start(() -> FOREVER);
		awaitRun();
		this.runner.stop(SOON);
		this.runner.start();
		awaitRun();
		assertThat(this.runner.isRunning()).isTrue();
	}

	@Test
	void startsOnlyOnce() throws Exception {
		start(() -> FOREVER);
		this.runner.start();
		awaitRun();
		assertThat(this.runs.tryAcquire(100, TimeUnit.MILLISECONDS)).isFalse();
	}

	@Test
	void loopsSharingLogWriteOneLine() throws Exception {
		// A machine may stand still until the next line is due
		LoopErrorLog errors = new LoopErrorLog(() -> 0);
		Semaphore failures = new Semaphore(0);
		List<PeriodicRunner> loops = List.of(failing("one", failures, errors), failing("two", failures, errors),
				failing("three", failures, errors));
		loops.forEach(PeriodicRunner::start);
		assertThat(failures.tryAcquire(9, 60, TimeUnit.SECONDS)).isTrue();
		loops.forEach((loop) -> loop.stop(SOON));
		assertThat(warnings()).hasSize(1);
		assertThat(warnings().get(0).getFormattedMessage()).contains("Redis is away");
	}

	@Test
	void survivesErrorThatCannotBePrinted() throws Exception {
		AtomicInteger count = new AtomicInteger();
		start(() -> {
			if (count.incrementAndGet() == 1) {
				throw new IllegalStateException() {
					@Override
					public String getMessage() {
						throw new IllegalStateException("message");
					}
				};
			}
			return FOREVER;
		});
		awaitRun();
		awaitRun();
		assertThat(warnings()).singleElement()
			.satisfies((line) -> assertThat(line.getThrowableProxy().getMessage()).contains("PeriodicRunnerTests")
				.contains("cannot be shown"));
	}

	@Test
	void tellsSinceWhenItFailsUntilItWorksAgain() throws Exception {
		Instant now = Instant.parse("2030-01-01T00:00:00Z");
		AtomicBoolean away = new AtomicBoolean(true);
		start(() -> {
			if (away.get()) {
				throw new BrokerUnavailableException("Redis is away", null);
			}
			return FOREVER;
		});
		awaitRun();
		awaitRun();
		LoopInfo failing = this.runner.info(now);
		assertThat(failing.error()).isEqualTo("Redis is away");
		assertThat(failing.failingSince()).as("the first failure, not the last")
			.isBeforeOrEqualTo(now.minus(Duration.ofMillis(100)));
		assertThat(failing.dead()).isFalse();
		away.set(false);
		await().untilAsserted(
				() -> assertThat(this.runner.info(now)).isEqualTo(new LoopInfo("loop", false, null, null, null)));
	}

	@Test
	void runThatAsksNothingEndsNoFailure() throws Exception {
		AtomicInteger count = new AtomicInteger();
		try (LogCapture told = LogCapture.of(PeriodicRunner.class, Level.INFO)) {
			start(() -> {
				if (count.incrementAndGet() == 1) {
					throw new BrokerUnavailableException("Redis is away", null);
				}
				if (count.get() == 2) {
					this.runner.asksNothing();
				}
				return FOREVER;
			});
			awaitRun();
			awaitRun();
			await().until(() -> this.runner.lag().isZero());
			assertThat(this.runner.info(Instant.EPOCH).error()).isEqualTo("Redis is away");
			assertThat(told.lines()).isEmpty();
			this.runner.wake();
			awaitRun();
			await().untilAsserted(() -> assertThat(told.lines()).singleElement()
				.satisfies((line) -> assertThat(line.getFormattedMessage()).isEqualTo("loop: works again")));
			assertThat(this.runner.info(Instant.EPOCH).error()).isNull();
		}
	}

	@Test
	void worksAgainAsSoonAsAnEndlessRunSaysSo() throws Exception {
		CountDownLatch message = new CountDownLatch(1);
		AtomicInteger count = new AtomicInteger();
		start(() -> {
			if (count.incrementAndGet() == 1) {
				throw new BrokerUnavailableException("Redis is away", null);
			}
			this.runner.works();
			message.await();
			return FOREVER;
		});
		awaitRun();
		awaitRun();
		await().untilAsserted(() -> assertThat(this.runner.info(Instant.EPOCH))
			.isEqualTo(new LoopInfo("loop", false, null, null, null)));
		assertThat(message.getCount()).isOne();
		message.countDown();
	}

	@Test
	void isLateWhileARunTakesLongAndNotDuringPause() throws Exception {
		CountDownLatch end = new CountDownLatch(1);
		start(() -> {
			end.await();
			return FOREVER;
		});
		awaitRun();
		Duration first = this.runner.lag();
		await().until(() -> this.runner.lag().compareTo(first) > 0);
		end.countDown();
		await().until(() -> this.runner.lag().isZero());
		this.runner.stop(SOON);
		assertThat(this.runner.lag()).as("after the stop").isNull();
	}

	@Test
	void isLateSinceTheFirstOfSeveralFailedRuns() throws Exception {
		AtomicBoolean away = new AtomicBoolean(true);
		start(() -> {
			if (away.get()) {
				throw new BrokerUnavailableException("Redis is away", null);
			}
			return FOREVER;
		});
		awaitRun();
		awaitRun();
		awaitRun();
		assertThat(this.runner.lag()).as("both pauses").isGreaterThan(Duration.ofMillis(150));
		away.set(false);
		await().until(() -> this.runner.lag().isZero());
	}

	@Test
	void isLateFromTheMomentInWhichItIsWoken() throws Exception {
		CountDownLatch end = new CountDownLatch(1);
		AtomicInteger count = new AtomicInteger();
		start(() -> {
			if (count.incrementAndGet() > 1) {
				end.await();
			}
			return FOREVER;
		});
		awaitRun();
		await().until(() -> this.runner.lag().isZero());
		this.runner.wake();
		await().until(() -> !this.runner.lag().isZero());
		assertThat(this.runner.lag()).isLessThan(FOREVER);
		end.countDown();
	}

	@Test
	void showsTypeOnlyOfErrorsThatMayQuotePayloads() throws Exception {
		start(() -> {
			throw new IllegalStateException("a payload");
		});
		awaitRun();
		awaitRun();
		assertThat(this.runner.info(Instant.EPOCH).error()).contains("IllegalStateException").doesNotContain("payload");
	}

	@Test
	void isDeadWhenItsThreadHasEndedWithoutStop() throws Exception {
		// No loop of ours does that: it ends the thread beyond all that it survives
		start(() -> null);
		awaitRun();
		await().dontCatchUncaughtExceptions().until(() -> this.runner.info(Instant.EPOCH).dead());
		this.runner.stop(SOON);
		assertThat(this.runner.info(Instant.EPOCH).dead()).as("after the stop").isFalse();
	}

	@Test
	void hangsWhenItsRunHasNotGotOnForAMinute() throws Exception {
		Instant now = Instant.parse("2030-01-01T00:00:00Z");
		AtomicLong nanos = new AtomicLong();
		CountDownLatch mayReturn = new CountDownLatch(1);
		start(() -> {
			mayReturn.await();
			return FOREVER;
		}, nanos::get);
		awaitRun();
		nanos.addAndGet(PeriodicRunner.LONGEST_STEP.toNanos());
		assertThat(this.runner.info(now).stalledSince()).as("after a minute at most").isNull();
		nanos.incrementAndGet();
		assertThat(this.runner.info(now).stalledSince())
			.isEqualTo(now.minus(PeriodicRunner.LONGEST_STEP).minusNanos(1));
		this.runner.step();
		assertThat(this.runner.info(now).stalledSince()).as("it gets on").isNull();
		nanos.addAndGet(2 * PeriodicRunner.LONGEST_STEP.toNanos());
		assertThat(this.runner.info(now).stalledSince()).isNotNull();
		mayReturn.countDown();
		await().untilAsserted(() -> assertThat(this.runner.info(now).stalledSince()).as("it rests").isNull());
		nanos.addAndGet(2 * PeriodicRunner.LONGEST_STEP.toNanos());
		assertThat(this.runner.info(now).stalledSince()).as("a long pause").isNull();
	}

	@Test
	void loopThatWaitsForMessagesNeverHangs() throws Exception {
		AtomicLong nanos = new AtomicLong();
		CountDownLatch message = new CountDownLatch(1);
		PeriodicRunner.Job job = () -> {
			this.runs.release();
			message.await();
			return FOREVER;
		};
		this.runner = new PeriodicRunner("loop", job, new LoopErrorLog(), true, new Waker(), nanos::get);
		this.runner.expectEndlessRuns();
		this.runner.start();
		awaitRun();
		nanos.addAndGet(Duration.ofHours(1).toNanos());
		assertThat(this.runner.info(Instant.EPOCH).stalledSince()).isNull();
		message.countDown();
	}

	@Test
	void loopThatWasStoppedDoesNotHang() throws Exception {
		AtomicLong nanos = new AtomicLong();
		CountDownLatch mayReturn = new CountDownLatch(1);
		start(() -> {
			mayReturn.await();
			return FOREVER;
		}, nanos::get);
		awaitRun();
		nanos.addAndGet(Duration.ofHours(1).toNanos());
		this.runner.stop(Duration.ZERO);
		assertThat(this.runner.info(Instant.EPOCH).stalledSince()).isNull();
		mayReturn.countDown();
	}

	private PeriodicRunner failing(String name, Semaphore failures, LoopErrorLog errors) {
		return new PeriodicRunner(name, () -> {
			failures.release();
			throw new BrokerUnavailableException("Redis is away", null);
		}, errors, true);
	}

	private void start(PeriodicRunner.Job job) {
		start(job, System::nanoTime);
	}

	private void start(PeriodicRunner.Job job, LongSupplier nanoTime) {
		this.runner = new PeriodicRunner("loop", () -> {
			this.runs.release();
			return job.run();
		}, new LoopErrorLog(), true, new Waker(), nanoTime);
		this.runner.start();
	}

	private void awaitRun() throws InterruptedException {
		assertThat(this.runs.tryAcquire(60, TimeUnit.SECONDS)).isTrue();
	}

	private List<ILoggingEvent> warnings() {
		return List.copyOf(this.log.list).stream().filter((event) -> event.getLevel() == Level.WARN).toList();
	}

}
