package io.asynq.broker.message;

/**
 * What is known of an attempt whose lease has ended; {@code counted} means that the crash
 * record includes it already, because another server claimed the task but did not end it.
 */
public record LostAttempt(Beginning beginning, String server, boolean counted) {

	public static final LostAttempt UNKNOWN = new LostAttempt(Beginning.UNKNOWN, "", false);

	/**
	 * Recorded only for suspects, and for last attempts that were fetched ahead.
	 */
	public enum Beginning {

		/** The task was no suspect, or a Go server had it. */
		UNKNOWN,

		/**
		 * Not recorded although it would have been, or unknown because the task was
		 * fetched ahead.
		 */
		NOT_BEGUN,

		BEGUN

	}

}
