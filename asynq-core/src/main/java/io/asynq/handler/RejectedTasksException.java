package io.asynq.handler;

import java.util.List;

import io.asynq.AsynqException;
import io.asynq.Task;
import org.jspecify.annotations.Nullable;

/**
 * Thrown by a {@link TaskAggregatorFunction} for tasks that it can never aggregate, such
 * as those with an invalid payload. They are archived with the message as their error,
 * and the others are aggregated without them.
 */
public class RejectedTasksException extends AsynqException {

	private final transient List<Task> tasks;

	/**
	 * Creates the exception.
	 * @param message why, without any payload
	 * @param tasks the same objects that the aggregator was given
	 */
	public RejectedTasksException(String message, List<Task> tasks, @Nullable Throwable cause) {
		super(message, cause);
		this.tasks = List.copyOf(tasks);
	}

	/**
	 * Returns the tasks to archive.
	 */
	public List<Task> tasks() {
		return this.tasks;
	}

}
