package io.asynq.internal.event;

import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;

import io.asynq.Task;
import io.asynq.event.TaskFacts;
import io.asynq.event.TaskOutcome;
import org.jspecify.annotations.Nullable;

/**
 * Remembers the observations that have ended, each as its queue, type, outcome and class
 * of the error.
 */
public final class EndedObservations implements TaskObservations {

	private final Map<String, List<String>> ended = Map.of("asynq.task.enqueue", new CopyOnWriteArrayList<>(),
			"asynq.task.process", new CopyOnWriteArrayList<>(), "asynq.task.aggregate", new CopyOnWriteArrayList<>());

	public List<String> ended(String name) {
		return this.ended.get(name);
	}

	@Override
	public boolean isOn() {
		return true;
	}

	@Override
	public TaskObservation enqueue(TaskFacts task) {
		return new Remembered(ended("asynq.task.enqueue"), task.queue() + " " + task.type());
	}

	@Override
	public TaskObservation process(TaskFacts task) {
		return new Remembered(ended("asynq.task.process"), task.queue() + " " + task.type());
	}

	@Override
	public TaskObservation aggregate(String queue, String group, List<Task> members) {
		return new Remembered(ended("asynq.task.aggregate"), queue + " " + group);
	}

	private record Remembered(List<String> ended, String subject) implements TaskObservation {

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
		}

		@Override
		public void end(TaskOutcome outcome, @Nullable Throwable error) {
			this.ended.add(this.subject + " " + outcome.name().toLowerCase() + " "
					+ ((error != null) ? error.getClass().getSimpleName() : "none"));
		}

	}

}
