package io.asynq.handler;

import java.time.Duration;
import java.time.Instant;

import org.jspecify.annotations.Nullable;

/**
 * The attempt that is running (asynq I01–I05, A06, H09). Safe for concurrent use.
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
	 * Returns when this attempt ends at the latest.
	 * @return whole seconds
	 */
	Instant deadline();

	/**
	 * Returns how long this attempt may go on, by a clock that nobody sets.
	 * @return the time until it ends at the latest, zero or less afterwards
	 */
	Duration remaining();

	/**
	 * Returns what tells this attempt from any other at the task.
	 * @return a text without meaning
	 */
	String attemptId();

	/**
	 * Returns why the attempt has ended while its handler still runs: deadline,
	 * cancellation, lost lease or shutdown. The handler's thread has been interrupted and
	 * whatever it returns is dropped.
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

	ResultWriter resultWriter();

}
