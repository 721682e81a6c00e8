package io.asynq.internal.lifecycle;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.LockSupport;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;

@Timeout(60)
class StopBudgetTests {

	private static final Duration LONG = Duration.ofHours(1);

	@Test
	void timeSpentIsMissingForOthersExceptAMoment() {
		StopBudget budget = new StopBudget(Duration.ofMillis(200), Duration.ZERO, Duration.ZERO);
		budget.await((timeout) -> {
			assertThat(timeout).isEqualTo(Duration.ofMillis(100));
			long end = System.nanoTime() + Duration.ofMillis(300).toNanos();
			while (System.nanoTime() < end) {
				LockSupport.parkNanos(1_000_000);
			}
			return true;
		});
		assertThat(budget.await((timeout) -> timeout.equals(Duration.ofMillis(50)))).isTrue();
		budget.renew();
		assertThat(budget.await((timeout) -> timeout.equals(Duration.ofMillis(100)))).isTrue();
	}

	@Test
	void timeReservedForOutcomesIsNotUsedByOthers() {
		StopBudget budget = new StopBudget(LONG, LONG, LONG.dividedBy(2));
		assertThat(budget.await((timeout) -> timeout.compareTo(LONG.dividedBy(4)) <= 0)).isTrue();
		budget = new StopBudget(LONG, LONG, LONG);
		assertThat(budget.await((timeout) -> timeout.equals(Duration.ofMillis(50)))).isTrue();
		CountDownLatch said = new CountDownLatch(1);
		assertThat(budget.runForOutcomes("outcomes", said::countDown)).isTrue();
		assertThat(said.getCount()).isZero();
	}

	@Test
	void hangingLoopTakesNothingFromFinalCalls() {
		StopBudget budget = new StopBudget(LONG, Duration.ofMillis(10), Duration.ZERO);
		CountDownLatch hangs = new CountDownLatch(1);
		CountDownLatch release = new CountDownLatch(1);
		PeriodicRunner loop = new PeriodicRunner("loop", () -> {
			hangs.countDown();
			release.await();
			return LONG;
		});
		loop.start();
		awaitQuietly(hangs);
		assertThat(budget.end("loop", loop)).isFalse();
		CountDownLatch said = new CountDownLatch(1);
		assertThat(budget.run("loop", said::countDown)).isTrue();
		assertThat(said.getCount()).isZero();
		release.countDown();
	}

	@Test
	void hangingFinalCallsAreAbandonedAndFailedOnesEnd() {
		StopBudget budget = new StopBudget(Duration.ofMillis(10), Duration.ZERO, Duration.ZERO);
		CountDownLatch release = new CountDownLatch(1);
		assertThat(budget.run("hangs", () -> awaitQuietly(release))).isFalse();
		release.countDown();
		budget = new StopBudget(LONG, Duration.ZERO, Duration.ZERO);
		assertThat(budget.run("fails", () -> {
			throw new IllegalStateException("planted");
		})).isTrue();
	}

	@Test
	void finalCallsWithoutMemoryEnd() {
		StopBudget budget = new StopBudget(LONG, Duration.ZERO, Duration.ZERO);
		assertThat(budget.run("fails", () -> {
			throw new OutOfMemoryError("planted");
		})).isTrue();
		assertThat(budget.await((timeout) -> timeout.compareTo(LONG.dividedBy(4)) > 0)).as("time is left").isTrue();
	}

	@Test
	void finalCallsWithoutThreadAreSkipped() {
		StopBudget budget = new StopBudget(LONG, Duration.ZERO, Duration.ZERO, (words) -> new Thread(words) {

			@Override
			public synchronized void start() {
				throw new OutOfMemoryError("unable to create native thread");
			}

		});
		CountDownLatch said = new CountDownLatch(1);
		assertThat(budget.run("none", said::countDown)).isFalse();
		assertThat(budget.runForOutcomes("none", said::countDown)).isFalse();
		assertThat(said.getCount()).as("it might block the stopping thread").isOne();
		assertThat(budget.await((timeout) -> timeout.compareTo(LONG.dividedBy(4)) > 0)).as("time is left").isTrue();
	}

	@Test
	void interruptDoesNotShortenBudget() {
		StopBudget budget = new StopBudget(LONG, Duration.ZERO, Duration.ZERO);
		CountDownLatch said = new CountDownLatch(1);
		Thread.currentThread().interrupt();
		assertThat(budget.run("interrupted", said::countDown)).isTrue();
		assertThat(Thread.interrupted()).isTrue();
		assertThat(said.getCount()).isZero();
	}

	private static void awaitQuietly(CountDownLatch latch) {
		try {
			latch.await();
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

}
