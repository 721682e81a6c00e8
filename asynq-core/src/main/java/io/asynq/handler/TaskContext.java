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
	 * Returns how often the task was retried before this attempt, 0 at the first.
	 */
	int retryCount();

	int maxRetry();

	/**
	 * Returns the time by which this attempt must have ended: the earlier of the task's
	 * deadline, in whole seconds, and the start of the attempt plus the timeout, to the
	 * millisecond.
	 */
	Instant deadline();

	/**
	 * Returns the time until the deadline by a monotonic clock, zero or negative
	 * afterwards.
	 */
	Duration remaining();

	/**
	 * Returns an opaque id that no other attempt at the task has.
	 */
	String attemptId();

	/**
	 * Returns why the attempt has ended while its handler still runs: deadline,
	 * cancellation, lost lease or shutdown; {@code null} while the attempt is valid. The
	 * handler's thread has been interrupted and its result is ignored.
	 */
	@Nullable Throwable cancellation();

	/**
	 * Returns whether the attempt has ended, so that the handler should give up.
	 */
	default boolean isCancelled() {
		return cancellation() != null;
	}

	/**
	 * Returns how long the task and its result are kept if this attempt succeeds; zero if
	 * they are deleted at once.
	 */
	Duration retention();

	ResultWriter resultWriter();

}
