package io.asynq.broker.fleet;

import java.time.Instant;
import java.util.List;
import java.util.Map;

import io.asynq.broker.message.QueueWeights;

/**
 * What a server publishes about itself; {@code held} counts, by queue, the tasks in its
 * prefetch buffer.
 */
public record ServerSnapshot(ServerIdentity identity, int concurrency, QueueWeights queues, String status,
		Instant startedAt, List<WorkerSnapshot> workers, Map<String, Integer> held) {
}
