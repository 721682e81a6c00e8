package io.asynq.internal.event;

import java.util.List;

import io.asynq.Task;
import io.asynq.event.TaskFacts;

/**
 * No method throws, and no task is affected by what goes wrong within; can be used where
 * Micrometer is missing.
 */
public interface TaskObservations {

	static TaskObservations none() {
		return NoObservations.INSTANCE;
	}

	/** If not, an observation need not be started. */
	boolean isOn();

	TaskObservation enqueue(TaskFacts task);

	TaskObservation process(TaskFacts task);

	TaskObservation aggregate(String queue, String group, List<Task> members);

}
