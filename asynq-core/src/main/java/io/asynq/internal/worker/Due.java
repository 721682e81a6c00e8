package io.asynq.internal.worker;

import java.time.Duration;

/**
 * A delay from a moment of this process: its rest can be added to another machine's time.
 */
public record Due(Duration delay, long sinceNanos) {

	public static Due in(Duration delay) {
		return new Due(delay, System.nanoTime());
	}

	public Duration left(long nanoTime) {
		return this.delay.minusNanos(nanoTime - this.sinceNanos);
	}

}
