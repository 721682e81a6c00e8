package io.asynq.metrics;

import java.time.Duration;
import java.util.function.LongSupplier;

/**
 * Who has read meters is expected again, unless nobody has read any for five minutes and
 * for three times the longest gap between two reads.
 */
final class Demand {

	private static final long LEAST = Duration.ofMinutes(5).toNanos();

	private final LongSupplier nanoTime;

	private boolean there;

	private long last;

	private long longestGap;

	Demand(LongSupplier nanoTime) {
		this.nanoTime = nanoTime;
	}

	/** Returns whether nobody was expected any more, or ever was. */
	boolean note() {
		long now = this.nanoTime.getAsLong();
		boolean first = !isThere(now);
		if (!first) {
			this.longestGap = Math.max(this.longestGap, now - this.last);
		}
		this.there = true;
		this.last = now;
		return first;
	}

	boolean isThere() {
		this.there = isThere(this.nanoTime.getAsLong());
		return this.there;
	}

	private boolean isThere(long now) {
		return this.there && now - this.last <= Math.max(LEAST, 3 * this.longestGap);
	}

}
