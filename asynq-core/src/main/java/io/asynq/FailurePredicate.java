package io.asynq;

/**
 * Whether an error counts as a failure (asynq F06, F07). An error that does not leaves
 * retries and counters alone and the task is tried again, for ever if need be. It is not
 * asked when retries are exhausted or skipped. Called by many threads.
 */
@FunctionalInterface
public interface FailurePredicate {

	/**
	 * Decides.
	 * @param error what the handler threw
	 * @return whether to count it
	 */
	boolean isFailure(Throwable error);

	/**
	 * Counts every error, as asynq does by default.
	 * @return the predicate
	 */
	static FailurePredicate always() {
		return (error) -> true;
	}

}
