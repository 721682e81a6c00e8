package io.asynq.broker;

import java.time.Duration;

/**
 * When something is due: after a delay that began at some moment of this process, however
 * its clock is set meanwhile. What is left of it can be added to the time of another.
 *
 * @param delay how long from that moment on
 * @param sinceNanos the moment, in {@link System#nanoTime()}
 */
public record Due(Duration delay, long sinceNanos) {

	/**
	 * Returns what is due after a delay from now on.
	 * @param delay the delay
	 * @return when it is due
	 */
	public static Due in(Duration delay) {
		return new Due(delay, System.nanoTime());
	}

	/**
	 * Returns what is left of the delay.
	 * @param nanoTime the present
	 * @return how long it is until then, negative if it has passed
	 */
	public Duration left(long nanoTime) {
		return this.delay.minusNanos(nanoTime - this.sinceNanos);
	}

}
