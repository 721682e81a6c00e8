package io.asynq.cli.dash;

import io.asynq.TaskState;
import org.jspecify.annotations.Nullable;

/** What is looked at. */
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

	enum Kind {

		QUEUES, GROUPS, TASKS, TASK

	}

}
