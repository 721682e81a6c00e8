package io.asynq.operate;

import java.time.Duration;
import java.util.List;
import java.util.Map;

import io.asynq.TaskState;
import io.asynq.info.QueueInfo;
import org.jspecify.annotations.Nullable;

/**
 * All queues at a glance.
 *
 * @param queueCount number of queues
 * @param tasks number of tasks by state in the queues of this part
 * @param waitingForLimit how many of those in retry have not failed, but wait for a limit
 * @param queues the queues of this part
 * @param unreadable queues of this part that could not be read, with the reason
 * @param servers number of live servers, Go's included
 * @param schedulerEntries number of periodic tasks of live schedulers
 * @param next the cursor of the next part, {@code null} if this is the last one
 */
public record Overview(int queueCount, Map<TaskState, Long> tasks, long waitingForLimit, List<Line> queues,
		Map<String, String> unreadable, int servers, int schedulerEntries, @Nullable String next) {

	/**
	 * A queue.
	 *
	 * @param queue its name
	 * @param size number of tasks in any state
	 * @param pending number of pending tasks
	 * @param active number of active tasks
	 * @param waitingForLimit tasks in retry that have not failed, but wait for a limit
	 * @param latency how long the next pending task has been waiting
	 * @param paused whether it is paused
	 */
	public record Line(String queue, long size, long pending, long active, long waitingForLimit, Duration latency,
			boolean paused) {

		static Line of(QueueInfo info) {
			return new Line(info.queue(), info.size(), info.size(TaskState.PENDING), info.size(TaskState.ACTIVE),
					info.waitingForLimit(), info.latency(), info.paused());
		}

	}

}
