package io.asynq.broker;

/**
 * What is known of an attempt whose lease has ended.
 *
 * @param beginning whether its handler had begun
 * @param server who had written that down, host and process id, or empty
 * @param counted whether the record includes it already: somebody has claimed the task
 * before, but not ended it
 */
public record LostAttempt(Beginning beginning, String server, boolean counted) {

	/** Of an attempt that nobody was to watch. */
	public static final LostAttempt UNKNOWN = new LostAttempt(Beginning.UNKNOWN, "", false);

	/**
	 * Whether a handler had begun. It is written down for tasks that are suspects.
	 */
	public enum Beginning {

		/** The task was no suspect, or in the hands of a Go server. */
		UNKNOWN,

		/** It would have been written down, and is not. */
		NOT_BEGUN,

		/** It is written down. */
		BEGUN

	}

}
