package io.asynq.cli.fleet;

import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import io.asynq.TaskState;
import io.asynq.inspect.QueueInfo;
import io.asynq.operations.survey.QueueBoard.Board;
import org.jspecify.annotations.Nullable;

/**
 * The JSON of {@code stats}, with the names that Go's program gives.
 */
final class GoStats {

	private GoStats() {
	}

	/**
	 * Returns the document.
	 * @param memory bytes by queue, as far as Redis tells
	 * @param redis what Redis says of itself, nothing if it does not
	 */
	static Map<String, Object> of(Board board, Map<String, Long> memory, Map<String, String> redis) {
		Map<String, Object> aggregate = new LinkedHashMap<>();
		Map<TaskState, Long> totals = board.totals();
		for (TaskState state : List.of(TaskState.ACTIVE, TaskState.PENDING, TaskState.AGGREGATING, TaskState.SCHEDULED,
				TaskState.RETRY, TaskState.ARCHIVED, TaskState.COMPLETED)) {
			aggregate.put(state.wireName(), totals.getOrDefault(state, 0L));
		}
		aggregate.put("processed", board.queues().stream().mapToLong(QueueInfo::processed).sum());
		aggregate.put("failed", board.queues().stream().mapToLong(QueueInfo::failed).sum());
		// Go's time of no time, if there are no queues
		aggregate.put("timestamp", board.queues().isEmpty() ? "0001-01-01T00:00:00Z" : text(board.at()));
		Map<String, Object> document = new LinkedHashMap<>();
		document.put("aggregate", aggregate);
		document.put("queues", board.queues().stream().map((queue) -> of(queue, memory.get(queue.queue()))).toList());
		document.put("redis", redis);
		return document;
	}

	private static Map<String, @Nullable Object> of(QueueInfo queue, @Nullable Long memory) {
		Map<String, @Nullable Object> values = new LinkedHashMap<>();
		values.put("Queue", queue.queue());
		values.put("MemoryUsage", memory);
		values.put("Paused", queue.paused());
		values.put("Size", queue.size());
		values.put("Groups", queue.groups());
		values.put("Pending", queue.size(TaskState.PENDING));
		values.put("Active", queue.size(TaskState.ACTIVE));
		values.put("Scheduled", queue.size(TaskState.SCHEDULED));
		values.put("Retry", queue.size(TaskState.RETRY));
		values.put("Archived", queue.size(TaskState.ARCHIVED));
		values.put("Completed", queue.size(TaskState.COMPLETED));
		values.put("Aggregating", queue.size(TaskState.AGGREGATING));
		values.put("Processed", queue.processed());
		values.put("Failed", queue.failed());
		values.put("ProcessedTotal", queue.processedTotal());
		values.put("FailedTotal", queue.failedTotal());
		values.put("Latency", queue.latency().toNanos());
		values.put("Timestamp", text(queue.timestamp()));
		return values;
	}

	private static String text(Instant time) {
		return time.toString();
	}

}
