package io.asynq.event;

/**
 * Why a server has archived a task.
 */
public enum ArchiveReason {

	/** The last attempt has failed. */
	RETRIES_EXHAUSTED,

	/** The attempt ended with a {@link io.asynq.handler.SkipRetryException}. */
	RETRY_SKIPPED,

	/**
	 * The task, or the aggregator of its group, has taken down too many servers
	 * ({@code asynq.server.max-crashes}).
	 */
	CRASHES,

	/** The aggregator of its group has rejected the task. */
	REJECTED;

	/**
	 * Returns whether a limit has ended the task, and not code of the application.
	 * @return {@code true} if a {@link TaskExhaustedEvent} is told
	 */
	public boolean isExhaustion() {
		return this == RETRIES_EXHAUSTED || this == CRASHES;
	}

}
