package io.asynq.event;

/**
 * Why a server has archived a task.
 */
public enum ArchiveReason {

	/** The last attempt has failed. */
	RETRIES_EXHAUSTED,

	/**
	 * The attempt ended with a {@link io.asynq.handler.SkipRetryException}, or with an
	 * error that the retry settings of its handler do not allow.
	 */
	RETRY_SKIPPED,

	/**
	 * The task, or the aggregator of its group, has taken down too many servers
	 * ({@code asynq.server.max-crashes}).
	 */
	CRASHES,

	/** Somebody has cancelled the task. */
	CANCELLED,

	/** The aggregator of its group has rejected the task. */
	REJECTED,

	/**
	 * No server had a handler for the task's type
	 * ({@code asynq.server.unknown-types-max-age}).
	 */
	NO_HANDLER;

	/**
	 * Returns whether a limit has ended the task, and not code of the application; then a
	 * {@link TaskEvent.Exhausted} is told.
	 */
	public boolean isExhaustion() {
		return this == RETRIES_EXHAUSTED || this == CRASHES || this == NO_HANDLER;
	}

}
