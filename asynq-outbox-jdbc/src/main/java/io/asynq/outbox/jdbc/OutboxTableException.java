package io.asynq.outbox.jdbc;

final class OutboxTableException extends RuntimeException {

	private final String script;

	OutboxTableException(String problem, String script, Throwable cause) {
		super("The table asynq_outbox cannot be used: " + problem + "; create it with " + script, cause);
		this.script = script;
	}

	String script() {
		return this.script;
	}

}
