package io.asynq.server;

/**
 * Which failed attempts are logged as a WARN with their stack trace; the others are
 * logged at DEBUG. When groups are aggregated, the first failure since the last success
 * counts as the first attempt.
 */
public enum FailureLogging {

	/** Every failed attempt. */
	EVERY,

	/** The first failed attempt of a task, and the one after which it is archived. */
	FIRST_AND_LAST,

	/** Only the attempt after which the task is archived. */
	LAST,

	/** None, because something else reports failures. */
	NONE;

	/**
	 * Returns whether an attempt that is followed by another one is logged as a WARN.
	 * @param first whether it is the first attempt at its task
	 */
	public boolean includesRetried(boolean first) {
		return this == EVERY || this == FIRST_AND_LAST && first;
	}

	/** Returns whether the attempt after which a task is archived is logged as a WARN. */
	public boolean includesLast() {
		return this != NONE;
	}

}
