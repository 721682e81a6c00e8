package io.asynq.inspect;

import java.time.Duration;
import java.util.Map;

import io.asynq.TaskState;

/**
 * The numbers of a queue at one moment.
 *
 * @param sizes number of tasks by state, all states present
 * @param groups number of groups with waiting tasks
 * @param latency how long the next pending task has been waiting, zero if there is none
 * @param today counters of the current UTC day
 * @param total counters of all days
 * @param aggregatingAge age of the number of aggregating tasks; zero unless the queue has
 * so many groups that they are not counted each time
 * @param waitingForLimit how many of the tasks in retry have not failed, but wait for a
 * limit
 * @param orphaned how many active tasks belong to no live server: their leases have been
 * over for more than 30 s, after which recoverers bring tasks back
 */
public record QueueStats(Map<TaskState, Long> sizes, long groups, Duration latency, Counters today, Counters total,
		boolean paused, Duration aggregatingAge, long waitingForLimit, long orphaned) {

	public QueueStats(Map<TaskState, Long> sizes, long groups, Duration latency, Counters today, Counters total,
			boolean paused) {
		this(sizes, groups, latency, today, total, paused, Duration.ZERO, 0, 0);
	}

	/**
	 * Counters of attempts.
	 *
	 * @param processed attempts that succeeded or failed
	 */
	public record Counters(long processed, long failed) {
	}

}
