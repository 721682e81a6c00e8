package io.asynq;

import java.time.Duration;

/**
 * Thrown by a handler, directly or as a cause: the task has not been worked on and is to
 * be tried again later. It goes to {@code retry} as it is: no retry is counted, no
 * failure, and {@code TaskErrorHandler}s are not told (asynq R06). Throw it, for example,
 * when a {@code TaskSemaphore} has no token.
 */
public class PostponeTaskException extends AsynqException {

	private final Duration delay;

	/**
	 * Creates the exception.
	 * @param delay how long the task waits, at least 1 s; its end is rounded up to a
	 * whole second
	 * @throws IllegalArgumentException if the delay is negative
	 */
	public PostponeTaskException(Duration delay) {
		super("asynq: task is postponed by " + delay);
		if (delay.isNegative()) {
			throw new IllegalArgumentException("A task cannot be postponed by a negative time, but is by " + delay);
		}
		this.delay = delay;
	}

	/**
	 * Returns how long the task waits.
	 * @return the delay
	 */
	public Duration delay() {
		return this.delay;
	}

}
