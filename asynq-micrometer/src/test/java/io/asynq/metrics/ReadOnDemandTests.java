package io.asynq.metrics;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

class ReadOnDemandTests {

	private static final Duration PATIENCE = Duration.ofMinutes(1);

	private static final Duration OFTEN = Duration.ofMillis(1);

	private final AtomicLong nanos = new AtomicLong();

	private final AtomicInteger count = new AtomicInteger();

	private final CountDownLatch never = new CountDownLatch(1);

	private ReadOnDemand reads = reads(OFTEN, PATIENCE, this.count::incrementAndGet);

	@AfterEach
	void stop() {
		this.never.countDown();
		this.reads.stop();
	}

	@Test
	void firstOneGetsFreshValues() {
		this.reads.start();
		this.reads.demand();
		assertThat(this.count).hasPositiveValue();
	}

	@Test
	void goesOnWhileThereIsDemand() {
		this.reads.start();
		this.reads.demand();
		await().until(() -> this.count.get() > 3);
	}

	@Test
	void stopsWithoutDemandAndBeginsAgainWithFreshValues() {
		AtomicInteger looks = new AtomicInteger();
		Demand demand = new Demand(() -> {
			looks.incrementAndGet();
			return this.nanos.get();
		});
		this.reads = new ReadOnDemand(this.count::incrementAndGet, Duration.ofDays(1), demand, PATIENCE);
		this.reads.start();
		await().until(() -> looks.get() > 0);
		this.reads.demand();
		assertThat(this.count).hasValue(1);
		this.nanos.addAndGet(Duration.ofMinutes(6).toNanos());
		this.reads.demand();
		assertThat(this.count).hasValue(2);
		this.nanos.addAndGet(Duration.ofMinutes(6).toNanos());
		this.reads.stop();
		int before = looks.get();
		this.reads.start();
		await().until(() -> looks.get() > before);
		this.reads.stop();
		assertThat(this.count).hasValue(2);
	}

	@Test
	void readsNothingWithoutDemand() {
		CountDownLatch looked = new CountDownLatch(1);
		Demand demand = new Demand(() -> {
			looked.countDown();
			return 0;
		});
		this.reads = new ReadOnDemand(this.count::incrementAndGet, OFTEN, demand, PATIENCE);
		this.reads.start();
		await().until(() -> looked.getCount() == 0);
		this.reads.stop();
		assertThat(this.count).hasValue(0);
	}

	@Test
	void laterOnesNeverWait() throws Exception {
		CountDownLatch second = new CountDownLatch(1);
		this.reads = reads(OFTEN, PATIENCE, () -> {
			if (this.count.incrementAndGet() > 1) {
				second.countDown();
				awaitEnd();
			}
		});
		this.reads.start();
		this.reads.demand();
		second.await();
		this.reads.demand();
		assertThat(this.count).hasValue(2);
	}

	@Test
	void firstOneWaitsForLimitedTimeAndNobodyWaitsAgain() {
		this.reads = reads(OFTEN, Duration.ofMillis(10), this::awaitEnd);
		this.reads.start();
		this.reads.demand();
		this.reads.demand();
		assertThat(this.never.getCount()).isOne();
	}

	@Test
	void othersWaitForTheSameValues() {
		CountDownLatch reading = new CountDownLatch(1);
		CountDownLatch answered = new CountDownLatch(1);
		this.reads = reads(Duration.ofDays(1), PATIENCE, () -> {
			reading.countDown();
			awaitLatch(answered);
			this.count.incrementAndGet();
		});
		this.reads.start();
		CompletableFuture<Integer> first = CompletableFuture.supplyAsync(this::demanded, ReadOnDemandTests::inThread);
		awaitLatch(reading);
		CompletableFuture<Integer> second = CompletableFuture.supplyAsync(this::demanded, ReadOnDemandTests::inThread);
		answered.countDown();
		assertThat(first.join()).isPositive();
		assertThat(second.join()).isPositive();
	}

	@Test
	void nobodyWaitsWhileItIsNotStarted() {
		this.reads.demand();
		assertThat(this.count).hasValue(0);
		this.reads.start();
		await().until(() -> this.count.get() > 0);
	}

	@Test
	void failedReadEndsTheWait() {
		this.reads = reads(OFTEN, PATIENCE, () -> {
			this.count.incrementAndGet();
			throw new IllegalStateException("planted");
		});
		this.reads.start();
		this.reads.demand();
		assertThat(this.count).hasPositiveValue();
	}

	private ReadOnDemand reads(Duration interval, Duration longestWait, Runnable read) {
		return new ReadOnDemand(read, interval, new Demand(this.nanos::get), longestWait);
	}

	private int demanded() {
		this.reads.demand();
		return this.count.get();
	}

	private static void inThread(Runnable task) {
		new Thread(task, "scrape").start();
	}

	private void awaitEnd() {
		awaitLatch(this.never);
	}

	private static void awaitLatch(CountDownLatch latch) {
		try {
			latch.await();
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

}
