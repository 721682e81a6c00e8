package io.asynq.server.work;

import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;

import io.asynq.server.fetch.QueueReadiness;

/**
 * Decides when to poll queues without an announced arrival: at an interval where arrivals
 * cannot be announced, else only occasionally, because a broken connection may have lost
 * watches. Used by the processor's thread; any thread may ask whether a watch is missing.
 */
public final class QueuePoll {

	/** How often to poll even while arrivals are announced. */
	private static final Duration LIVE_INTERVAL = Duration.ofSeconds(5);

	private final QueueReadiness readiness;

	private final ArrivalSignals arrivals;

	private final Duration interval;

	private volatile boolean started;

	private long nextNanos;

	public QueuePoll(QueueReadiness readiness, ArrivalSignals arrivals, Duration interval) {
		this.readiness = readiness;
		this.arrivals = arrivals;
		this.interval = interval;
	}

	/**
	 * Has all queues polled, because nothing is known about them.
	 */
	void start() {
		this.started = true;
	}

	/**
	 * Marks the queues that are due, or has them watched again.
	 */
	void markIfDue() {
		long now = System.nanoTime();
		boolean all = this.arrivals.takeMissed() || this.started;
		if (!all && now - this.nextNanos < 0) {
			return;
		}
		this.started = false;
		boolean live = this.arrivals.isLive();
		if (live && !all) {
			this.readiness.unwatchAll();
		}
		else {
			this.readiness.markAll();
		}
		Duration pause = (live && this.interval.compareTo(LIVE_INTERVAL) < 0) ? LIVE_INTERVAL : this.interval;
		// Servers that start together should not poll together
		this.nextNanos = now + (long) (pause.toNanos() * ThreadLocalRandom.current().nextDouble(0.5, 1.5));
	}

	long nanosUntilNext() {
		return Math.max(0, this.nextNanos - System.nanoTime());
	}

	/**
	 * Returns whether a queue that was empty is not watched, though it could be.
	 */
	boolean isWatchMissing() {
		return this.arrivals.isLive() && this.readiness.anyUnwatched();
	}

	/**
	 * Watches queues that were empty.
	 * @return whether one is no longer empty
	 */
	boolean watch() {
		return isWatchMissing() && this.arrivals.watchPending();
	}

}
