package io.asynq.internal.worker;

/** The record has it already if {@code counted}: another server claimed the task. */
public record LostAttempt(Beginning beginning, String server, boolean counted) {

	public static final LostAttempt UNKNOWN = new LostAttempt(Beginning.UNKNOWN, "", false);

	/** Recorded only for suspects, and for last attempts that were fetched ahead. */
	public enum Beginning {

		/** The task was no suspect, or a Go server had it. */
		UNKNOWN,

		/** Not recorded although it would be, or unknown because it was fetched ahead. */
		NOT_BEGUN,

		BEGUN

	}

}
