package io.asynq.handler;

import java.time.Duration;
import java.time.Instant;

import org.jspecify.annotations.Nullable;

/**
 * The running attempt at a task. Safe for concurrent use.
 */
public interface TaskContext {

	String taskId();

	String queue();

	/**
	 * Returns how often the task was retried before this attempt.
	 * @return 0 at the first attempt
	 */
	int retryCount();

	int maxRetry();

	/**
	 * Returns the time by which this attempt must have ended.
	 * @return the earlier of the task's deadline, in whole seconds, and the start of the
	 * attempt plus the timeout, to the millisecond
	 */
	Instant deadline();

	/**
	 * Returns how long this attempt may still take, by a monotonic clock.
	 * @return the time until the deadline, zero or negative afterwards
	 */
	Duration remaining();

	/**
	 * Returns an id that no other attempt at the task has.
	 * @return an opaque text
	 */
	String attemptId();

	/**
	 * Returns why the attempt has ended while its handler still runs: deadline,
	 * cancellation, lost lease or shutdown. The handler's thread has been interrupted and
	 * its result is ignored.
	 * @return the reason, {@code null} while the attempt is valid
	 */
	@Nullable Throwable cancellation();

	/**
	 * Returns whether {@link #cancellation()} has a reason.
	 * @return whether to give up
	 */
	default boolean isCancelled() {
		return cancellation() != null;
	}

	/**
	 * Returns how long the task and its result are kept if this attempt succeeds.
	 * @return zero if they are deleted at once
	 */
	Duration retention();

	ResultWriter resultWriter();

}
