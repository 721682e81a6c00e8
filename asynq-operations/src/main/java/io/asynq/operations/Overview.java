package io.asynq.operations;

import java.time.Duration;
import java.util.List;
import java.util.Map;

import io.asynq.TaskState;
import io.asynq.inspect.QueueInfo;
import org.jspecify.annotations.Nullable;

/**
 * A part of all queues at a glance; a queue that cannot be read is told with the reason.
 */
public record Overview(int queueCount, Map<TaskState, Long> tasks, long waitingForLimit, List<Line> queues,
		Map<String, String> unreadable, int servers, int schedulerEntries, @Nullable String next) {

	public record Line(String queue, long size, long pending, long active, long waitingForLimit, Duration latency,
			boolean paused) {

		static Line of(QueueInfo info) {
			return new Line(info.queue(), info.size(), info.size(TaskState.PENDING), info.size(TaskState.ACTIVE),
					info.waitingForLimit(), info.latency(), info.paused());
		}

	}

}
