package io.asynq.broker;

import java.time.Instant;
import java.util.List;
import java.util.Map;

/**
 * A server as it tells of itself (asynq O18).
 *
 * @param id its id, new at every start
 * @param host where it runs
 * @param pid its process
 * @param concurrency how many tasks it works on at most
 * @param queues weight by queue
 * @param strictPriority whether a queue is touched only when all heavier ones are empty
 * @param status {@code active}, {@code stopped} or {@code closed}
 * @param startedAt since when
 * @param workers what it works on
 */
public record ServerInfo(String id, String host, int pid, int concurrency, Map<String, Integer> queues,
		boolean strictPriority, String status, Instant startedAt, List<WorkerInfo> workers) {
}
