package io.asynq.broker.survey;

import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;

import io.asynq.TaskInfo;
import io.asynq.TaskState;
import org.jspecify.annotations.Nullable;

/**
 * Reads tasks for people who search. Each call is one short script. Changes nothing. Safe
 * for concurrent use.
 */
public interface TaskSurvey {

	/** How many tasks a slice has at most. */
	int SLICE = 256;

	/** At how many tasks that wait for limits is looked to tell them from retries. */
	int MOST_WAITING = 1000;

	/**
	 * Reads some tasks of a container in its order, up to {@value #SLICE} of them and 4
	 * MiB, but always one. Tasks that cannot be decoded are left out.
	 * @param group the group of aggregating tasks, else {@code null}
	 * @param offset how many to pass over
	 * @param limit how many at most
	 */
	Slice slice(String queue, TaskState state, @Nullable String group, long offset, int limit);

	/**
	 * Reads what stands beside a task: its unique lock and its lease. A lock with a key
	 * of one's own is not found while the task is in a group.
	 */
	Standing standing(TaskInfo task);

	/**
	 * Counts retries by when they are due, those that are due already in the first step.
	 * Tasks that wait for limits are none; if more than {@value #MOST_WAITING} wait, some
	 * of them are counted.
	 * @param step how long a step is, at least a second
	 * @param steps how many
	 * @return the number of each step
	 */
	List<Long> retriesAhead(String queue, Duration step, int steps);

	/**
	 * Reads since when queues are paused.
	 * @return by queue; those that are not paused are left out, and so are those whose
	 * pause has no time
	 */
	Map<String, Instant> pausedSince(Collection<String> queues);

	/**
	 * Counts active tasks that nobody has recovered although their lease has ended.
	 * @param grace how long ago it must have ended
	 * @return by queue, without those that have none
	 */
	Map<String, Orphaned> orphaned(Collection<String> queues, Duration grace);

	/**
	 * Active tasks whose worker is gone.
	 *
	 * @param tasks how many
	 * @param since when the first lease has ended
	 */
	record Orphaned(long tasks, Instant since) {
	}

	/**
	 * Some tasks.
	 *
	 * @param tasks those that can be read
	 * @param looked at how many places was looked, 0 at the end
	 */
	record Slice(List<TaskInfo> tasks, int looked) {
	}

	/**
	 * What stands beside a task.
	 *
	 * @param lock the name of its unique lock, {@code null} if it has none or another
	 * task holds it
	 * @param lockEndsIn how long the lock lasts, {@code null} if Redis does not tell
	 * @param leaseEnds when its lease ends or has ended, {@code null} if it has none
	 * @param leased whether the lease has not ended
	 */
	record Standing(@Nullable String lock, @Nullable Duration lockEndsIn, @Nullable Instant leaseEnds, boolean leased) {
	}

}
