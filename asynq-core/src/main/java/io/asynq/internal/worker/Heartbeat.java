package io.asynq.internal.worker;

import java.time.Duration;
import java.time.Instant;
import java.util.function.LongSupplier;

import org.jspecify.annotations.Nullable;

public final class Heartbeat {

	/** The shortest lease; very frequent heartbeats may be late without harm. */
	private static final Duration LEAST = Duration.ofSeconds(3);

	private final LongSupplier nanoTime;

	private volatile Beat last;

	Heartbeat(LongSupplier nanoTime) {
		this.nanoTime = nanoTime;
		this.last = new Beat(nanoTime.getAsLong(), false);
	}

	public void start() {
		this.last = new Beat(this.nanoTime.getAsLong(), false);
	}

	public void written() {
		this.last = new Beat(this.nanoTime.getAsLong(), true);
	}

	public Duration age() {
		return Duration.ofNanos(this.nanoTime.getAsLong() - this.last.nanos());
	}

	/** The entry lives for two intervals. */
	public boolean isMissed(Duration interval) {
		Duration twice = interval.multipliedBy(2);
		Duration longest = (twice.compareTo(LEAST) < 0) ? LEAST : twice;
		return age().compareTo(longest) > 0;
	}

	public @Nullable Instant last(Instant now) {
		Beat beat = this.last;
		return beat.written() ? now.minusNanos(this.nanoTime.getAsLong() - beat.nanos()) : null;
	}

	private record Beat(long nanos, boolean written) {
	}

}
