package io.asynq.console.view;

import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;

import io.asynq.TaskState;
import io.asynq.inspect.QueueInfo;

record QueueCounts(Instant asOf, String queue, Map<TaskState, Long> sizes, long size, long groups, Duration latency,
		boolean paused, long processed, long failed, long processedTotal, long failedTotal, long waitingForLimit) {

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
