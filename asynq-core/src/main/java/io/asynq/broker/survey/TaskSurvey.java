package io.asynq.broker.survey;

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

	/**
	 * Reads at most {@value #SLICE} tasks and 4 MiB, but always at least one task; tasks
	 * that cannot be decoded are left out.
	 */
	Slice slice(String queue, TaskState state, @Nullable String group, long offset, int limit);

	/** A lock with a key of one's own is not found while the task is in a group. */
	Standing standing(TaskInfo task);

	/**
	 * Counts retries by due time, overdue ones in the first step; beyond
	 * {@value #MOST_WAITING} tasks that wait for limits, some of these are counted as
	 * retries.
	 */
	List<Long> retriesAhead(String queue, Duration step, int steps);

	Map<String, Instant> pausedSince(Collection<String> queues);

	/**
	 * Counts active tasks that nobody has recovered although their lease ended longer ago
	 * than the grace period.
	 */
	Map<String, Orphaned> orphaned(Collection<String> queues, Duration grace);

	record Orphaned(long tasks, Instant since) {
	}

	/**
	 * Zero places looked at means the end; an empty list does not.
	 */
	record Slice(List<TaskInfo> tasks, int looked) {
	}

	/**
	 * {@code leased} goes by Redis's clock, so it may contradict {@code leaseEnds} here.
	 */
	record Standing(@Nullable String lock, @Nullable Duration lockEndsIn, @Nullable Instant leaseEnds, boolean leased) {
	}

}
