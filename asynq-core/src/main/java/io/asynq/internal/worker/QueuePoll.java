package io.asynq.internal.worker;

import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Polls at an interval the queues whose arrivals cannot be announced, the others only
 * occasionally, because a broken connection may have lost watches; any thread may ask
 * whether a watch is missing.
 */
public final class QueuePoll {

	private static final Duration LIVE_INTERVAL = Duration.ofSeconds(5);

	private final QueueReadiness readiness;

	private final ArrivalSignals arrivals;

	private final Duration interval;

	private volatile boolean started;

	/** When to poll what is not watched. */
	private long nextPollNanos;

	/** When to watch again what is. */
	private long nextWatchNanos;

	public QueuePoll(QueueReadiness readiness, ArrivalSignals arrivals, Duration interval) {
		this.readiness = readiness;
		this.arrivals = arrivals;
		this.interval = interval;
	}

	void start() {
		this.started = true;
	}

	void markIfDue() {
		long now = System.nanoTime();
		boolean all = this.started;
		if (all) {
			this.started = false;
			this.readiness.markAll();
		}
		if (all || now - this.nextPollNanos >= 0) {
			this.readiness.markIf((queue) -> !this.arrivals.isLive(queue));
			this.nextPollNanos = now + about(this.interval);
		}
		if (all || now - this.nextWatchNanos >= 0) {
			this.readiness.unwatchIf(this.arrivals::isLive);
			this.nextWatchNanos = now
					+ about((this.interval.compareTo(LIVE_INTERVAL) < 0) ? LIVE_INTERVAL : this.interval);
		}
	}

	long nanosUntilNext() {
		long now = System.nanoTime();
		long untilWatch = this.nextWatchNanos - now;
		return Math.max(0, this.arrivals.areAllLive() ? untilWatch : Math.min(untilWatch, this.nextPollNanos - now));
	}

	boolean isWatchMissing() {
		return this.readiness.unwatched().stream().anyMatch(this.arrivals::isLive);
	}

	boolean watch() {
		return isWatchMissing() && this.arrivals.watchPending();
	}

	/** Servers that start together should not poll together. */
	private static long about(Duration pause) {
		return (long) (pause.toNanos() * ThreadLocalRandom.current().nextDouble(0.5, 1.5));
	}

}
