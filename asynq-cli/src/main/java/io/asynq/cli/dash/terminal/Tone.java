package io.asynq.cli.dash.terminal;

import io.asynq.TaskState;

/**
 * What a text is, which decides how it looks.
 */
public enum Tone {

	PLAIN, TITLE, HEAD, FAINT, WARNING, ERROR, CHOSEN, ACTIVE, PENDING, AGGREGATING, SCHEDULED, RETRY, ARCHIVED,
	COMPLETED;

	public static Tone of(TaskState state) {
		return switch (state) {
			case ACTIVE -> ACTIVE;
			case PENDING -> PENDING;
			case AGGREGATING -> AGGREGATING;
			case SCHEDULED -> SCHEDULED;
			case RETRY -> RETRY;
			case ARCHIVED -> ARCHIVED;
			case COMPLETED -> COMPLETED;
			case DEFERRED -> PLAIN;
		};
	}

}
