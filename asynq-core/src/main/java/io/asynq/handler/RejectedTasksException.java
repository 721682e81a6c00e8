package io.asynq.handler;

import java.util.List;

import io.asynq.AsynqException;
import io.asynq.Task;
import org.jspecify.annotations.Nullable;

/**
 * Thrown by a {@link GroupAggregator} for tasks that it will never be able to aggregate,
 * such as those whose payload makes no sense: they are archived with the message as their
 * error, and the others are aggregated without them.
 */
public class RejectedTasksException extends AsynqException {

	private final transient List<Task> tasks;

	/**
	 * Creates the exception.
	 * @param message why, without any payload
	 * @param tasks the tasks, of those that were to be aggregated; compared by identity
	 * @param cause what happened
	 */
	public RejectedTasksException(String message, List<Task> tasks, @Nullable Throwable cause) {
		super(message, cause);
		this.tasks = List.copyOf(tasks);
	}

	/**
	 * Returns the tasks.
	 * @return those that are to be archived
	 */
	public List<Task> tasks() {
		return this.tasks;
	}

}
