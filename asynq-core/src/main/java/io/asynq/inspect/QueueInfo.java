package io.asynq.inspect;

import java.time.Duration;
import java.time.Instant;
import java.util.Map;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import io.asynq.TaskState;

/**
 * A queue at one moment.
 *
 * @param timestamp when the numbers were read
 */
public record QueueInfo(String queue, @JsonUnwrapped QueueStats stats, Instant timestamp) {

	/** Returns the number of tasks by state, all states present. */
	public Map<TaskState, Long> sizes() {
		return this.stats.sizes();
	}

	/** Returns the number of tasks in one state. */
	public long size(TaskState state) {
		return this.stats.sizes().getOrDefault(state, 0L);
	}

	/** Returns the number of tasks in all states. */
	public long size() {
		return this.stats.sizes().values().stream().mapToLong(Long::longValue).sum();
	}

	/**
	 * Returns how many of the tasks in retry have not failed, but wait for a limit. A
	 * task that was moved by hand while it waited may count for about a minute, and in a
	 * queue whose tasks wait for more than 1,000 different limits and keys the number is
	 * up to 30 s old.
	 */
	public long waitingForLimit() {
		return this.stats.waitingForLimit();
	}

	/** Returns the number of groups with waiting tasks. */
	public long groups() {
		return this.stats.groups();
	}

	/**
	 * Returns the age of the number of aggregating tasks: up to 30 s if the queue has
	 * more than 1,000 groups, else zero.
	 */
	public Duration aggregatingAge() {
		return this.stats.aggregatingAge();
	}

	/** Returns how long the next pending task has been waiting, zero if there is none. */
	public Duration latency() {
		return this.stats.latency();
	}

	/** Returns whether the queue is paused: servers take no tasks from it. */
	public boolean paused() {
		return this.stats.paused();
	}

	/** Returns how many attempts have succeeded or failed on the current UTC day. */
	public long processed() {
		return this.stats.today().processed();
	}

	/** Returns how many attempts have failed on the current UTC day. */
	public long failed() {
		return this.stats.today().failed();
	}

	/** Returns how many attempts have ever succeeded or failed. */
	public long processedTotal() {
		return this.stats.total().processed();
	}

	/** Returns how many attempts have ever failed. */
	public long failedTotal() {
		return this.stats.total().failed();
	}

}
