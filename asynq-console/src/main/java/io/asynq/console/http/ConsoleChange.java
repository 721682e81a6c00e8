package io.asynq.console.http;

/**
 * A change that was made, or begun.
 *
 * @param answer what the caller gets as JSON
 * @param count how many tasks, queues or inconsistencies it has changed, for the audit
 * @param status the HTTP status
 */
public record ConsoleChange(Object answer, long count, int status) {

	/** Returns a change that is done. */
	public static ConsoleChange done(Object answer, long count) {
		return new ConsoleChange(answer, count, 200);
	}

	/** Returns a change that goes on in the background. */
	public static ConsoleChange begun(Object answer) {
		return new ConsoleChange(answer, 0, 202);
	}

}
