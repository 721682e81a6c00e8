package io.asynq.broker.message;

/**
 * What is known of an attempt whose lease has ended.
 *
 * @param beginning whether its handler had begun
 * @param server the server that recorded it, host and process id, or empty
 * @param counted whether the record includes it already: another server has claimed the
 * task but not ended it
 */
public record LostAttempt(Beginning beginning, String server, boolean counted) {

	/** For an attempt that was not recorded. */
	public static final LostAttempt UNKNOWN = new LostAttempt(Beginning.UNKNOWN, "", false);

	/**
	 * Whether a handler had begun. This is recorded for suspects, and for last attempts
	 * that were fetched ahead.
	 */
	public enum Beginning {

		/** The task was no suspect, or a Go server had it. */
		UNKNOWN,

		/**
		 * It would have been recorded, and is not; or the task was fetched ahead, so that
		 * it is not known.
		 */
		NOT_BEGUN,

		/** It is recorded. */
		BEGUN

	}

}
