package io.asynq.reliability.load;

import io.asynq.TaskOptions;
import io.asynq.test.ledger.TaskKey;

/** A task to be enqueued. */
record PlannedTask(TaskKey key, TaskKind kind, Object payload, TaskOptions options) {

	String type() {
		if (this.payload instanceof Deadly) {
			return Deadly.TYPE;
		}
		if (this.kind == TaskKind.LIMITED) {
			return Work.LIMITED;
		}
		return this.kind.isGrouped() ? Member.TYPE : Work.TYPE;
	}

	String describe() {
		if (this.payload instanceof Deadly deadly) {
			return deadly.way() + " after " + deadly.millis() + " ms";
		}
		return (this.payload instanceof Work work) ? this.kind + " " + work.millis() + " ms, fails at " + work.fails()
				: this.kind + " in " + this.options.group();
	}

}
