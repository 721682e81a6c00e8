package io.asynq.cli;

import java.util.Map;
import java.util.stream.Collectors;

import io.asynq.AsynqException;
import io.asynq.DuplicateTaskException;
import io.asynq.QueueNotEmptyException;
import io.asynq.QueueNotFoundException;
import io.asynq.QueueStateException;
import io.asynq.TaskIdConflictException;
import io.asynq.TaskNotFoundException;
import io.asynq.TaskState;
import io.asynq.internal.text.GoText;

/**
 * Errors in the words of Go's program, for scripts that look for them. Errors that Go's
 * program does not know have this library's words.
 */
final class GoErrors {

	private GoErrors() {
	}

	static String ofQueue(String queue, AsynqException error) {
		String name = GoText.quote(queue);
		String message = String.valueOf(error.getMessage());
		if (error instanceof QueueNotFoundException) {
			return "NOT_FOUND: queue " + name + " does not exist";
		}
		if (error instanceof QueueNotEmptyException notEmpty) {
			return "queue " + name + " is not empty: it has " + count(notEmpty.contents());
		}
		if (error instanceof QueueStateException) {
			return "queue " + name + (message.contains("already") ? " is already paused" : " is not paused");
		}
		return message;
	}

	static String ofTask(AsynqException error) {
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
		return String.valueOf(error.getMessage());
	}

	private static String count(Map<String, Long> contents) {
		long sum = contents.values().stream().mapToLong(Long::longValue).sum();
		return sum + ((sum == 1) ? " task" : " tasks")
				+ TaskState.stored()
					.stream()
					.map(TaskState::wireName)
					.filter(contents::containsKey)
					.map((state) -> contents.get(state) + " " + state)
					.collect(Collectors.joining(", ", " (", ")"));
	}

}
