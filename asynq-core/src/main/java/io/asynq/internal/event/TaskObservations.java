package io.asynq.internal.event;

import java.util.List;

import io.asynq.Task;
import io.asynq.event.TaskFacts;

/**
 * No method throws, and no task is affected by what goes wrong within; can be used where
 * Micrometer is missing.
 */
public interface TaskObservations {

	TaskObservations NONE = new TaskObservations() {
	};

	static TaskObservations none() {
		return NONE;
	}

	/** If not, an observation need not be started. */
	default boolean isOn() {
		return false;
	}

	default TaskObservation enqueue(TaskFacts task) {
		return TaskObservation.NONE;
	}

	default TaskObservation process(TaskFacts task) {
		return TaskObservation.NONE;
	}

	default TaskObservation aggregate(String queue, String group, List<Task> members) {
		return TaskObservation.NONE;
	}

}
