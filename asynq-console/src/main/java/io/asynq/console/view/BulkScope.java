package io.asynq.console.view;

import java.time.Instant;
import java.util.List;
import java.util.Set;

import io.asynq.TaskInfo;
import io.asynq.TaskState;
import io.asynq.operate.filter.TaskFilter;
import io.asynq.operate.survey.FailureKey;
import io.asynq.operate.survey.TaskRange;
import org.jspecify.annotations.Nullable;

/**
 * Which tasks are meant: those of some ranges that pass a filter and belong to one of
 * some groups of failures.
 */
record BulkScope(@Nullable String queue, List<TaskState> states, @Nullable String group, TaskFilter filter,
		Set<FailureKey> failures, List<TaskRange> ranges) {

	boolean isAll() {
		return this.filter.isAll() && this.failures.isEmpty();
	}

	boolean includes(TaskInfo task, Instant now) {
		return this.filter.passes(task, now) && (this.failures.isEmpty()
				|| FailureKey.hasFailed(task) && this.failures.contains(FailureKey.of(task)));
	}

}
