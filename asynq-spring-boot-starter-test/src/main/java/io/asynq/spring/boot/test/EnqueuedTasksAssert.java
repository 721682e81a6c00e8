package io.asynq.spring.boot.test;

import java.util.List;

import org.assertj.core.api.AbstractAssert;

/** Assertions about the tasks that were enqueued. Not safe for concurrent use. */
public final class EnqueuedTasksAssert extends AbstractAssert<EnqueuedTasksAssert, EnqueuedTasks> {

	EnqueuedTasksAssert(EnqueuedTasks tasks) {
		super(tasks, EnqueuedTasksAssert.class);
	}

	/** Verifies that a task of a type was enqueued. */
	public EnqueuedTaskAssert enqueued(String type) {
		List<EnqueuedTask> found = this.actual.ofType(type);
		if (found.isEmpty()) {
			failWithMessage("No task of type '%s' was enqueued, but%s", type, describe(this.actual.all()));
		}
		return new EnqueuedTaskAssert(found, type).as(descriptionText());
	}

	/** Verifies that no task of a type was enqueued. */
	public EnqueuedTasksAssert notEnqueued(String type) {
		List<EnqueuedTask> found = this.actual.ofType(type);
		if (!found.isEmpty()) {
			failWithMessage("No task of type '%s' should be enqueued, but there are%s", type, describe(found));
		}
		return this;
	}

	/** Verifies that nothing was enqueued. */
	public EnqueuedTasksAssert isEmpty() {
		return hasSize(0);
	}

	/** Verifies how many tasks were enqueued. */
	public EnqueuedTasksAssert hasSize(int size) {
		List<EnqueuedTask> all = this.actual.all();
		if (all.size() != size) {
			failWithMessage("%s tasks should be enqueued, but there are %s:%s", size, all.size(), describe(all));
		}
		return this;
	}

	/** Returns a line for each task. */
	static String describe(List<EnqueuedTask> tasks) {
		if (tasks.isEmpty()) {
			return " nothing was enqueued at all";
		}
		StringBuilder lines = new StringBuilder();
		tasks.forEach((task) -> lines.append(System.lineSeparator()).append("  ").append(task.describe()));
		return lines.toString();
	}

}
