package io.asynq.cli.command;

import io.asynq.AsynqException;
import io.asynq.DuplicateTaskException;
import io.asynq.QueueNotEmptyException;
import io.asynq.QueueNotFoundException;
import io.asynq.QueueStateException;
import io.asynq.TaskIdConflictException;
import io.asynq.TaskNotFoundException;
import io.asynq.gotext.GoText;

/**
 * Errors in the words of Go's program, for scripts that look for them. Errors that Go's
 * program does not know have this library's words.
 */
public final class GoErrors {

	private GoErrors() {
	}

	/** Says why something was not done with a queue. */
	public static String ofQueue(String queue, AsynqException error) {
		String name = GoText.quote(queue);
		if (error instanceof QueueNotFoundException) {
			return "NOT_FOUND: queue " + name + " does not exist";
		}
		if (error instanceof QueueNotEmptyException) {
			return "NOT_FOUND: queue " + name + " is not empty\n" + error.getMessage();
		}
		if (error instanceof QueueStateException) {
			return "queue " + name + (message(error).contains("already") ? " is already paused" : " is not paused");
		}
		return message(error);
	}

	/** Says why something was not done with a task. */
	public static String ofTask(AsynqException error) {
		if (error instanceof TaskNotFoundException) {
			return "asynq: task not found\n" + error.getMessage();
		}
		if (error instanceof QueueNotFoundException) {
			return "asynq: queue not found\n" + error.getMessage();
		}
		if (error instanceof TaskIdConflictException) {
			return "task ID conflicts with another task";
		}
		if (error instanceof DuplicateTaskException) {
			return "task already exists";
		}
		return message(error);
	}

	private static String message(AsynqException error) {
		return String.valueOf(error.getMessage());
	}

}
