package io.asynq.cli.dash;

import io.asynq.TaskState;
import org.jspecify.annotations.Nullable;

/**
 * What is looked at.
 *
 * @param queue the queue, {@code null} for the list of queues
 * @param state the state whose tasks are listed
 * @param group the group, {@code null} for the list of groups
 * @param id the task, {@code null} for a list
 * @param filter what an entry must contain, empty for all
 */
record Place(@Nullable String queue, TaskState state, @Nullable String group, @Nullable String id, String filter) {

	static Place queues() {
		return new Place(null, TaskState.PENDING, null, null, "");
	}

	static Place queue(String queue, TaskState state) {
		return new Place(queue, state, null, null, "");
	}

	Place group(String name) {
		return new Place(this.queue, this.state, name, null, "");
	}

	Place task(String task) {
		return new Place(this.queue, this.state, this.group, task, "");
	}

	Place filtered(String text) {
		return new Place(this.queue, this.state, this.group, this.id, text);
	}

	Kind kind() {
		if (this.queue == null) {
			return Kind.QUEUES;
		}
		if (this.id != null) {
			return Kind.TASK;
		}
		return (this.state == TaskState.AGGREGATING && this.group == null) ? Kind.GROUPS : Kind.TASKS;
	}

	/** Kinds of screens. */
	enum Kind {

		QUEUES, GROUPS, TASKS, TASK

	}

}
