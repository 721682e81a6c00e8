package io.asynq.observation;

import java.util.List;

import io.asynq.Task;
import io.asynq.event.TaskFacts;

/**
 * Observes what a client, a scheduler and a server do with tasks. Whatever goes wrong
 * within affects no task: no method throws. This type and {@link TaskObservation} can be
 * used where Micrometer is missing. Safe for concurrent use.
 */
public interface TaskObservations {

	/**
	 * Returns what observes nothing, at no cost.
	 * @return always the same
	 */
	static TaskObservations none() {
		return NoObservations.INSTANCE;
	}

	/**
	 * Returns whether anybody observes.
	 * @return {@code false} if an observation need not be started
	 */
	boolean isOn();

	/**
	 * Starts the observation of a task that is about to be stored.
	 * @param task the task
	 * @return the observation, to be ended
	 */
	TaskObservation enqueue(TaskFacts task);

	/**
	 * Starts the observation of an attempt.
	 * @param task the task
	 * @return the observation, to be ended
	 */
	TaskObservation process(TaskFacts task);

	/**
	 * Starts the observation of the aggregation of a group.
	 * @param queue the queue
	 * @param group the group's name
	 * @param members its tasks
	 * @return the observation, to be ended
	 */
	TaskObservation aggregate(String queue, String group, List<Task> members);

}
