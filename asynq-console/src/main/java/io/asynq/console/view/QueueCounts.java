package io.asynq.console.view;

import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;

import io.asynq.TaskState;
import io.asynq.info.QueueInfo;

/**
 * The numbers of a queue.
 *
 * @param asOf when they were read
 * @param queue its name
 * @param sizes number of tasks by state
 * @param size number of tasks in any state
 * @param groups number of groups
 * @param latency how long the next pending task has been waiting
 * @param paused whether it is paused
 * @param processed attempts that have ended today
 * @param failed attempts that have failed today
 * @param processedTotal attempts that have ended on all days
 * @param failedTotal attempts that have failed on all days
 * @param waitingForLimit tasks in retry that have not failed, but wait for a limit
 */
public record QueueCounts(Instant asOf, String queue, Map<TaskState, Long> sizes, long size, long groups,
		Duration latency, boolean paused, long processed, long failed, long processedTotal, long failedTotal,
		long waitingForLimit) {

	/** Finds the numbers of a queue in what was read. */
	public static Optional<QueueCounts> of(State state, String queue) {
		return state.board()
			.queues()
			.stream()
			.filter((info) -> info.queue().equals(queue))
			.findFirst()
			.map(QueueCounts::of);
	}

	static QueueCounts of(QueueInfo info) {
		return new QueueCounts(info.timestamp(), info.queue(), info.sizes(), info.size(), info.groups(), info.latency(),
				info.paused(), info.processed(), info.failed(), info.processedTotal(), info.failedTotal(),
				info.waitingForLimit());
	}

}
