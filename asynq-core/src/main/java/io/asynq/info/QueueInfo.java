package io.asynq.info;

import java.time.Duration;
import java.time.Instant;
import java.util.Map;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import io.asynq.TaskState;

/**
 * A queue at one moment.
 *
 * @param queue its name
 * @param stats the numbers that were read
 * @param timestamp when they were read
 */
public record QueueInfo(String queue, @JsonUnwrapped QueueStats stats, Instant timestamp) {

	/**
	 * Returns the number of tasks by state.
	 * @return all states
	 */
	public Map<TaskState, Long> sizes() {
		return this.stats.sizes();
	}

	/**
	 * Returns the number of tasks in one state.
	 * @param state the state
	 * @return their number
	 */
	public long size(TaskState state) {
		return this.stats.sizes().getOrDefault(state, 0L);
	}

	/**
	 * Returns the number of tasks in all states.
	 * @return their number
	 */
	public long size() {
		return this.stats.sizes().values().stream().mapToLong(Long::longValue).sum();
	}

	/**
	 * Returns how many of the tasks in retry have not failed, but wait for a limit. A
	 * task that was moved by hand while it waited may count for about a minute, and in a
	 * queue whose tasks wait for more than 1,000 different limits and keys the number is
	 * up to 30 s old.
	 * @return their number
	 */
	public long waitingForLimit() {
		return this.stats.waitingForLimit();
	}

	/**
	 * Returns the number of groups with waiting tasks.
	 * @return their number
	 */
	public long groups() {
		return this.stats.groups();
	}

	/**
	 * Returns the age of the number of aggregating tasks.
	 * @return zero unless the queue has more than 1,000 groups; then up to 30 s
	 */
	public Duration aggregatingAge() {
		return this.stats.aggregatingAge();
	}

	/**
	 * Returns how long the next pending task has been waiting.
	 * @return zero if there is none
	 */
	public Duration latency() {
		return this.stats.latency();
	}

	/**
	 * Tells whether the queue is paused: servers take no tasks from it.
	 * @return whether it is paused
	 */
	public boolean paused() {
		return this.stats.paused();
	}

	/**
	 * Returns the number of attempts that ended on the current UTC day.
	 * @return those that succeeded or failed
	 */
	public long processed() {
		return this.stats.today().processed();
	}

	/**
	 * Returns the number of attempts that failed on the current UTC day.
	 * @return their number
	 */
	public long failed() {
		return this.stats.today().failed();
	}

	/**
	 * Returns the number of all attempts that have ended.
	 * @return those that succeeded or failed
	 */
	public long processedTotal() {
		return this.stats.total().processed();
	}

	/**
	 * Returns the number of all attempts that failed.
	 * @return their number
	 */
	public long failedTotal() {
		return this.stats.total().failed();
	}

}
