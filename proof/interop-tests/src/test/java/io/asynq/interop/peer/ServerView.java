package io.asynq.interop.peer;

import java.time.Instant;
import java.util.List;
import java.util.Map;

import org.jspecify.annotations.Nullable;

/**
 * A server as Go's inspector shows it.
 *
 * @param id its id
 * @param host its host
 * @param pid its process
 * @param concurrency tasks at once
 * @param queues weight by name
 * @param strictPriority whether the order is strict
 * @param started when it started
 * @param status what it is doing
 * @param activeWorkers what it is working on
 */
public record ServerView(String id, String host, long pid, int concurrency, Map<String, Integer> queues,
		boolean strictPriority, @Nullable Instant started, String status, List<Worker> activeWorkers) {

	/**
	 * A task that is being worked on.
	 *
	 * @param taskId its id
	 * @param type its type
	 * @param payload its payload
	 * @param queue its queue
	 * @param started when the attempt began
	 * @param deadline when it ends at the latest
	 */
	public record Worker(String taskId, String type, @Nullable String payload, String queue, @Nullable Instant started,
			@Nullable Instant deadline) {
	}

}
