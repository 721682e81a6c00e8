package io.asynq.reliability.load;

/** How a handler ends its process. */
public record Deadly(Way way, int millis) {

	/** The type of the tasks. */
	public static final String TYPE = "deadly";

	/** The prefix of the ids of tasks whose group ends the process that aggregates it. */
	public static final String GROUP = "deadly-group";

	/** The ways to end a process. */
	public enum Way {

		/** {@link System#exit}. */
		EXIT,

		/** The handler fails, and its error handler calls {@link System#exit}. */
		EXIT_WHEN_TOLD,

		/** The application context is closed, in the handler's own thread. */
		CLOSE,

		/** A crash: nothing is reported to anybody. */
		HALT

	}

}
