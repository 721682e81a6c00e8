package io.asynq.internal.inspect;

import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;

import io.asynq.TaskInfo;
import io.asynq.TaskState;
import org.jspecify.annotations.Nullable;

public interface TaskSurvey {

	int SLICE = 256;

	/** At most this many tasks that wait for limits are told apart from retries. */
	int MOST_WAITING = 1000;

	/** At most {@value #SLICE} tasks and 4 MiB, but always one. */
	Slice slice(String queue, TaskState state, @Nullable String group, long offset, int limit);

	/** A lock with a key of one's own is not found while the task is in a group. */
	Standing standing(TaskInfo task);

	/**
	 * Overdue retries are in the first step; of more than {@value #MOST_WAITING} tasks
	 * that wait for limits, some are counted as well.
	 */
	List<Long> retriesAhead(String queue, Duration step, int steps);

	Map<String, Instant> pausedSince(Collection<String> queues);

	/** Active tasks that nobody has recovered although their lease has ended. */
	Map<String, Orphaned> orphaned(Collection<String> queues, Duration grace);

	record Orphaned(long tasks, Instant since) {
	}

	/** Having looked at no place means the end; having no tasks does not. */
	record Slice(List<TaskInfo> tasks, int looked) {
	}

	/** {@code leased} goes by Redis's clock. */
	record Standing(@Nullable String lock, @Nullable Duration lockEndsIn, @Nullable Instant leaseEnds, boolean leased) {
	}

}
