package io.asynq.console.bulk;

import java.time.Instant;
import java.util.List;

import io.asynq.TaskInfo;
import io.asynq.TaskState;
import io.asynq.operate.filter.TaskFilter;
import io.asynq.operate.survey.FailureKey;
import io.asynq.operate.survey.TaskRange;
import org.jspecify.annotations.Nullable;

/**
 * Which tasks are meant: those of some ranges that pass a filter and belong to a group of
 * failures.
 *
 * @param queue the queue, {@code null} for all that the caller may change
 * @param states the states
 * @param group the group of aggregating tasks
 * @param filter the filter
 * @param failureKey the group of failures, {@code null} for any
 * @param ranges where to look
 */
public record BulkScope(@Nullable String queue, List<TaskState> states, @Nullable String group, TaskFilter filter,
		@Nullable String failureKey, List<TaskRange> ranges) {

	/** Returns whether all tasks of the ranges are meant. */
	boolean isAll() {
		return this.filter.isAll() && this.failureKey == null;
	}

	boolean includes(TaskInfo task, Instant now) {
		return this.filter.passes(task, now) && (this.failureKey == null
				|| FailureKey.hasFailed(task) && this.failureKey.equals(FailureKey.of(task).text()));
	}

}
