package io.asynq.benchmarks.peer;

import java.time.Instant;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.locks.LockSupport;

/** Counts every run of every task of a backlog. Safe for concurrent use. */
final class Runs {

	private final AtomicIntegerArray runs;

	private final AtomicLongArray starts;

	private final AtomicInteger missing;

	private final AtomicInteger doubled = new AtomicInteger();

	private final AtomicInteger failures = new AtomicInteger();

	private final CountDownLatch complete = new CountDownLatch(1);

	private final long workNanos;

	private final boolean failFirst;

	private final ProcessMeter meter = new ProcessMeter();

	Runs(int tasks, Settings settings) {
		this.runs = new AtomicIntegerArray(tasks);
		this.starts = new AtomicLongArray(tasks);
		this.missing = new AtomicInteger(tasks);
		this.workNanos = settings.number("work_micros", 0) * 1000L;
		this.failFirst = settings.flag("fail_first");
	}

	void run(int number) {
		// Before the meter, whose start delays the first task by some milliseconds
		Instant now = Instant.now();
		if (number >= this.runs.length()) {
			// From an earlier, larger backlog, which should have been complete
			this.doubled.incrementAndGet();
			return;
		}
		this.meter.started();
		this.starts.set(number, now.getEpochSecond() * 1_000_000L + now.getNano() / 1000);
		if (this.workNanos > 0) {
			work();
		}
		int before = this.runs.getAndIncrement(number);
		if (this.failFirst && before == 0) {
			this.failures.incrementAndGet();
			throw new IllegalStateException("The first attempt fails");
		}
		if (before > (this.failFirst ? 1 : 0)) {
			this.doubled.incrementAndGet();
		}
		else if (this.missing.decrementAndGet() == 0) {
			this.meter.ended();
			this.complete.countDown();
		}
	}

	String await(int timeoutMillis) throws InterruptedException {
		if (!this.complete.await(timeoutMillis, TimeUnit.MILLISECONDS)) {
			this.meter.ended();
		}
		return "seen=" + (this.runs.length() - this.missing.get()) + " doubled=" + this.doubled.get() + " failed="
				+ this.failures.get() + " " + this.meter.report();
	}

	String starts() {
		StringBuilder text = new StringBuilder("starts=");
		for (int i = 0; i < this.starts.length(); i++) {
			text.append((i > 0) ? "," : "").append(i).append(':').append(this.starts.get(i));
		}
		return text.toString();
	}

	int doubled() {
		return this.doubled.get();
	}

	private void work() {
		long end = System.nanoTime() + this.workNanos;
		long left = this.workNanos;
		while (left > 0) {
			LockSupport.parkNanos(left);
			left = end - System.nanoTime();
		}
	}

}
