package io.asynq;

/**
 * Decides whether an error counts as a failure, as Go's {@code Config.IsFailure}
 * (docs/compatibility.md, F06). After one that does not, the task is retried without
 * limit, and neither its retry count nor the failure counters change. Not called when
 * retries are exhausted or skipped. Called by many threads.
 */
@FunctionalInterface
public interface FailurePredicate {

	/**
	 * Returns whether what the handler threw counts as a failure.
	 */
	boolean isFailure(Throwable error);

	/**
	 * Counts every error, as asynq does by default.
	 */
	static FailurePredicate always() {
		return (error) -> true;
	}

}
