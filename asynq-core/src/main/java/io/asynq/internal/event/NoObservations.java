package io.asynq.internal.event;

import java.util.List;
import java.util.Map;

import io.asynq.Task;
import io.asynq.event.TaskFacts;
import io.asynq.event.TaskOutcome;
import org.jspecify.annotations.Nullable;

final class NoObservations implements TaskObservations {

	static final TaskObservations INSTANCE = new NoObservations();

	private NoObservations() {
	}

	@Override
	public boolean isOn() {
		return false;
	}

	@Override
	public TaskObservation enqueue(TaskFacts task) {
		return TaskObservation.NONE;
	}

	@Override
	public TaskObservation process(TaskFacts task) {
		return TaskObservation.NONE;
	}

	@Override
	public TaskObservation aggregate(String queue, String group, List<Task> members) {
		return TaskObservation.NONE;
	}

	static final class None implements TaskObservation {

		@Override
		public Scope open() {
			return Scope.NONE;
		}

		@Override
		public Map<String, String> headers(Map<String, String> own, boolean later) {
			return own;
		}

		@Override
		public void type(String type) {
			// Nobody asks
		}

		@Override
		public void end(TaskOutcome outcome, @Nullable Throwable error) {
			// Nobody asks
		}

	}

}
