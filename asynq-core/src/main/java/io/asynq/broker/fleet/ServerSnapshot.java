package io.asynq.broker.fleet;

import java.time.Instant;
import java.util.List;
import java.util.Map;

import io.asynq.broker.message.QueueWeights;

/**
 * What a server publishes about itself.
 *
 * @param concurrency how many tasks it works on at most
 * @param status {@code active}, {@code stopped} or {@code closed}
 * @param startedAt since when
 * @param workers the tasks that it works on at this moment
 * @param held how many tasks it has fetched that wait for a worker, by queue
 */
public record ServerSnapshot(ServerIdentity identity, int concurrency, QueueWeights queues, String status,
		Instant startedAt, List<WorkerSnapshot> workers, Map<String, Integer> held) {
}
