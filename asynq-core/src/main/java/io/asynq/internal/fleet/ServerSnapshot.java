package io.asynq.internal.fleet;

import java.time.Instant;
import java.util.List;
import java.util.Map;

import io.asynq.internal.redis.ServerIdentity;
import io.asynq.internal.worker.WorkerSnapshot;
import io.asynq.server.QueueWeights;

/** {@code held} counts the tasks in the prefetch buffer by queue. */
public record ServerSnapshot(ServerIdentity identity, int concurrency, QueueWeights queues, String status,
		Instant startedAt, List<WorkerSnapshot> workers, Map<String, Integer> held) {
}
