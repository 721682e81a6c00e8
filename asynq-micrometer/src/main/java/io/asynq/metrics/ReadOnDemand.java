package io.asynq.metrics;

import java.time.Duration;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

import io.asynq.internal.lifecycle.PeriodicRunner;

/**
 * Who reads meters never waits, except for the first one after a pause, who would
 * otherwise get old values.
 */
final class ReadOnDemand {

	private static final Duration UNTIL_WOKEN = Duration.ofDays(1);

	private static final Duration STOP_TIMEOUT = Duration.ofSeconds(5);

	private final Runnable read;

	private final Duration interval;

	private final Demand demand;

	private final Duration longestWait;

	private final PeriodicRunner runner = new PeriodicRunner("asynq-queue-metrics", this::run);

	private final ReentrantLock lock = new ReentrantLock();

	private final Condition hasRead = this.lock.newCondition();

	/** Whether the first values after a stop are on their way. */
	private volatile boolean awaited;

	private long awaitedSince;

	/**
	 * @param longestWait how long the first one waits for values
	 */
	ReadOnDemand(Runnable read, Duration interval, Demand demand, Duration longestWait) {
		this.read = read;
		this.interval = interval;
		this.demand = demand;
		this.longestWait = longestWait;
	}

	void start() {
		this.runner.start();
	}

	void stop() {
		this.runner.stop(STOP_TIMEOUT);
		goOn();
	}

	boolean isRunning() {
		return this.runner.isRunning();
	}

	/** To be called before a value is taken. */
	void demand() {
		if (isFirst()) {
			this.runner.wake();
		}
		if (this.awaited) {
			await();
		}
	}

	private Duration run() {
		if (!isDemanded()) {
			this.runner.asksNothing();
			return UNTIL_WOKEN;
		}
		try {
			this.read.run();
			return this.interval;
		}
		finally {
			goOn();
		}
	}

	/** With {@link #isDemanded} under one lock: a read that sees demand ends the wait. */
	private boolean isFirst() {
		this.lock.lock();
		try {
			boolean first = this.demand.note() && this.runner.isRunning();
			if (first) {
				this.awaitedSince = System.nanoTime();
				this.awaited = true;
			}
			return first;
		}
		finally {
			this.lock.unlock();
		}
	}

	private boolean isDemanded() {
		this.lock.lock();
		try {
			return this.demand.isThere();
		}
		finally {
			this.lock.unlock();
		}
	}

	private void await() {
		this.lock.lock();
		try {
			long left = this.longestWait.toNanos() - (System.nanoTime() - this.awaitedSince);
			while (this.awaited && left > 0) {
				left = this.hasRead.awaitNanos(left);
			}
			// Nobody else waits for the same read
			this.awaited = false;
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
		finally {
			this.lock.unlock();
		}
	}

	private void goOn() {
		this.lock.lock();
		try {
			this.awaited = false;
			this.hasRead.signalAll();
		}
		finally {
			this.lock.unlock();
		}
	}

}
