package io.asynq.broker.fleet;

import java.time.Instant;
import java.util.List;
import java.util.Map;

import io.asynq.broker.message.QueueWeights;

/** {@code held} counts the tasks in the prefetch buffer by queue. */
public record ServerSnapshot(ServerIdentity identity, int concurrency, QueueWeights queues, String status,
		Instant startedAt, List<WorkerSnapshot> workers, Map<String, Integer> held) {
}
