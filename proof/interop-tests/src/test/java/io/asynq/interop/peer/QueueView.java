package io.asynq.interop.peer;

import java.util.EnumMap;
import java.util.Map;

import io.asynq.TaskState;

/**
 * A queue's numbers as one side shows them.
 *
 * @param sizes number of tasks by state, all states present
 * @param groups number of groups
 * @param processed attempts today
 * @param failed failed attempts today
 * @param processedTotal attempts since ever
 * @param failedTotal failed attempts since ever
 * @param paused whether it is paused
 */
public record QueueView(Map<TaskState, Long> sizes, long groups, long processed, long failed, long processedTotal,
		long failedTotal, boolean paused) {

	/**
	 * Returns the states that have tasks.
	 * @return number of tasks by state
	 */
	public Map<TaskState, Long> tasks() {
		Map<TaskState, Long> tasks = new EnumMap<>(TaskState.class);
		this.sizes.forEach((state, size) -> {
			if (size > 0) {
				tasks.put(state, size);
			}
		});
		return tasks;
	}

	public long size(TaskState state) {
		return this.sizes.getOrDefault(state, 0L);
	}

}
