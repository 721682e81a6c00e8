package io.asynq.broker.message;

import java.time.Duration;

/**
 * When something is due: a delay from a moment of this process, whatever happens to its
 * clock. What is left of the delay can be added to another machine's time.
 *
 * @param delay how long from that moment on
 * @param sinceNanos the moment, in {@link System#nanoTime()}
 */
public record Due(Duration delay, long sinceNanos) {

	/**
	 * Creates a due time from now on.
	 * @return when it is due
	 */
	public static Due in(Duration delay) {
		return new Due(delay, System.nanoTime());
	}

	/**
	 * Returns what is left of the delay.
	 * @return the time until then, negative if it has passed
	 */
	public Duration left(long nanoTime) {
		return this.delay.minusNanos(nanoTime - this.sinceNanos);
	}

}
