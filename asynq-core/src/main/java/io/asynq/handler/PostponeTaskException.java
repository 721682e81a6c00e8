package io.asynq.handler;

import java.time.Duration;

import io.asynq.AsynqException;
import io.asynq.limit.TaskSemaphore;

/**
 * Thrown by a handler, directly or as a cause, to try the task again later, for example
 * when a {@link TaskSemaphore} has no token. The task goes to {@code retry} unchanged. No
 * retry and no failure is counted, and no {@link TaskErrorHandler} is called.
 */
public class PostponeTaskException extends AsynqException {

	private final Duration delay;

	/**
	 * Creates the exception.
	 * @param delay how long the task waits; less than 1 s counts as 1 s, and the time at
	 * which the task is due is rounded up to a whole second
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
	 */
	public Duration delay() {
		return this.delay;
	}

}
