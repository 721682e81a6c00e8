package io.asynq.console.view;

import java.time.Instant;
import java.util.List;
import java.util.Set;

import io.asynq.QueueNotFoundException;
import io.asynq.TaskInfo;
import io.asynq.TaskState;
import io.asynq.operations.survey.FailureKey;
import io.asynq.operations.survey.TaskFilter;
import io.asynq.operations.survey.TaskRange;
import io.asynq.operations.survey.TaskSearch;
import org.jspecify.annotations.Nullable;

/**
 * Tasks of some ranges that pass a filter and belong to one of some groups of failures.
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

	Counted count(TaskSearch search, Instant now) {
		long total = sizes(search);
		if (isAll()) {
			return new Counted(total, true, total, total);
		}
		long[] counted = { 0 };
		long scanned = 0;
		for (TaskRange range : this.ranges) {
			long left = search.scanLimit() - scanned;
			if (left > 0) {
				scanned += search.walk(range, 0, left, (task) -> {
					counted[0] += includes(task, now) ? 1 : 0;
					return true;
				});
			}
		}
		// While tasks come and go, some are passed over
		boolean exact = scanned == total && sizes(search) == total;
		return new Counted(counted[0], exact, Math.min(scanned, total), total);
	}

	private long sizes(TaskSearch search) {
		return this.ranges.stream().mapToLong((range) -> size(range, search)).sum();
	}

	/** A queue that was deleted meanwhile has no tasks, unless it alone is meant. */
	long size(TaskRange range, TaskSearch search) {
		try {
			return search.count(range);
		}
		catch (QueueNotFoundException ex) {
			if (this.queue != null) {
				throw ex;
			}
			return 0;
		}
	}

	record Counted(long count, boolean exact, long scanned, long total) {
	}

}
