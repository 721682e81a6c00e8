package io.asynq.server.state;

import java.time.Duration;
import java.time.Instant;
import java.util.function.LongSupplier;

import org.jspecify.annotations.Nullable;

/**
 * When the server's entry was last written. Safe for concurrent use.
 */
public final class Heartbeat {

	/** The shortest lease; very frequent heartbeats may be late without harm. */
	private static final Duration LEAST = Duration.ofSeconds(3);

	private final LongSupplier nanoTime;

	private volatile Beat last;

	Heartbeat(LongSupplier nanoTime) {
		this.nanoTime = nanoTime;
		this.last = new Beat(nanoTime.getAsLong(), false);
	}

	/** Begins to count: the first entry is about to be written. */
	public void start() {
		this.last = new Beat(this.nanoTime.getAsLong(), false);
	}

	/** Notes that the entry is in Redis. */
	public void written() {
		this.last = new Beat(this.nanoTime.getAsLong(), true);
	}

	/**
	 * Returns the time since the entry was last written, or since the start if it was
	 * not.
	 */
	public Duration age() {
		return Duration.ofNanos(this.nanoTime.getAsLong() - this.last.nanos());
	}

	/**
	 * Returns whether the entry has expired, since it lives for two intervals.
	 */
	public boolean isMissed(Duration interval) {
		Duration twice = interval.multipliedBy(2);
		Duration longest = (twice.compareTo(LEAST) < 0) ? LEAST : twice;
		return age().compareTo(longest) > 0;
	}

	/**
	 * Returns when the entry was last written since the start.
	 * @return the time, {@code null} if it was not
	 */
	public @Nullable Instant last(Instant now) {
		Beat beat = this.last;
		return beat.written() ? now.minusNanos(this.nanoTime.getAsLong() - beat.nanos()) : null;
	}

	/** One write, or the start. */
	private record Beat(long nanos, boolean written) {
	}

}
