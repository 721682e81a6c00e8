package io.asynq.internal.lifecycle;

import java.time.Duration;
import java.time.Instant;
import java.util.function.LongSupplier;

import org.jspecify.annotations.Nullable;

/**
 * Each call to Redis ends by its time-out, and a run notes each step, so one that has
 * noted nothing for a minute waits for something that may never come: a lock, a
 * connection of an exhausted pool, or the application's code.
 */
final class RunWatch {

	static final Duration LONGEST_STEP = Duration.ofMinutes(1);

	private static final long RESTING = Long.MIN_VALUE;

	private final LongSupplier nanoTime;

	private volatile long lastStep = RESTING;

	RunWatch(LongSupplier nanoTime) {
		this.nanoTime = nanoTime;
	}

	void step() {
		this.lastStep = this.nanoTime.getAsLong();
	}

	void rest() {
		this.lastStep = RESTING;
	}

	/** Returns when a run that hangs has got on last, {@code null} if none hangs. */
	@Nullable Instant stalledSince(Instant now) {
		long last = this.lastStep;
		long ago = this.nanoTime.getAsLong() - last;
		return (last != RESTING && ago > LONGEST_STEP.toNanos()) ? now.minusNanos(ago) : null;
	}

}
