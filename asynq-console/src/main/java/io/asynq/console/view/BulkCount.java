package io.asynq.console.view;

import java.time.Clock;
import java.time.Instant;

import io.asynq.QueueNotFoundException;
import io.asynq.operate.survey.TaskRange;
import io.asynq.operate.survey.TaskSearch;

final class BulkCount {

	private final TaskSearch search;

	private final Clock clock;

	BulkCount(TaskSearch search, Clock clock) {
		this.search = search;
		this.clock = clock;
	}

	Counted count(BulkScope scope) {
		long total = sizes(scope);
		if (scope.isAll()) {
			return new Counted(total, true, total, total);
		}
		Instant now = this.clock.instant();
		long[] counted = { 0 };
		long scanned = 0;
		for (TaskRange range : scope.ranges()) {
			long left = this.search.scanLimit() - scanned;
			if (left > 0) {
				scanned += this.search.walk(range, 0, left, (task) -> {
					counted[0] += scope.includes(task, now) ? 1 : 0;
					return true;
				});
			}
		}
		// While tasks come and go, some are passed over
		boolean exact = scanned == total && sizes(scope) == total;
		return new Counted(counted[0], exact, Math.min(scanned, total), total);
	}

	private long sizes(BulkScope scope) {
		return scope.ranges().stream().mapToLong((range) -> size(range, scope)).sum();
	}

	/** A queue that was deleted meanwhile has no tasks, unless it alone is meant. */
	long size(TaskRange range, BulkScope scope) {
		try {
			return this.search.count(range);
		}
		catch (QueueNotFoundException ex) {
			if (scope.queue() != null) {
				throw ex;
			}
			return 0;
		}
	}

	record Counted(long count, boolean exact, long scanned, long total) {
	}

}
