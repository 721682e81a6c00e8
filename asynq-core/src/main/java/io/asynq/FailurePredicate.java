package io.asynq;

/**
 * Decides whether an error counts as a failure, as Go's {@code Config.IsFailure}
 * (docs/compatibility.md, F06). If it does not, the task is retried without limit, and
 * neither its retry count nor the failure counters change. Not called when retries are
 * exhausted or skipped. Called by many threads.
 */
@FunctionalInterface
public interface FailurePredicate {

	/**
	 * Tells whether an error counts as a failure.
	 * @param error what the handler threw
	 * @return whether it counts
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
