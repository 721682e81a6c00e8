package io.asynq.broker;

import java.time.Instant;
import java.util.List;

/**
 * What a server tells about itself (asynq G09).
 *
 * @param identity which one
 * @param concurrency how many tasks it works on at most
 * @param queues its queues
 * @param status {@code active}, {@code stopped} or {@code closed}
 * @param startedAt since when
 * @param workers its tasks at this moment
 */
public record ServerSnapshot(ServerIdentity identity, int concurrency, QueueWeights queues, String status,
		Instant startedAt, List<WorkerSnapshot> workers) {
}
