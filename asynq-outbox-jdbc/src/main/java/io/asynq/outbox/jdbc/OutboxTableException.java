package io.asynq.outbox.jdbc;

/**
 * The table of the outbox is missing or cannot be used.
 */
final class OutboxTableException extends RuntimeException {

	private final String script;

	/**
	 * @param problem what the database says
	 * @param script where the script is that creates the table
	 */
	OutboxTableException(String problem, String script, Throwable cause) {
		super("The table asynq_outbox cannot be used: " + problem + "; create it with " + script, cause);
		this.script = script;
	}

	String script() {
		return this.script;
	}

}
