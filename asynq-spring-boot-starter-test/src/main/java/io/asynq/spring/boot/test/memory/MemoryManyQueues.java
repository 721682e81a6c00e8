package io.asynq.spring.boot.test.memory;

import java.util.Collection;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

import io.asynq.inspect.QueueStats;
import io.asynq.internal.inspect.ManyQueues;

/**
 * Reads many queues, for metrics.
 */
final class MemoryManyQueues implements ManyQueues {

	private final MemoryQueueReader queues;

	MemoryManyQueues(MemoryQueueReader queues) {
		this.queues = queues;
	}

	@Override
	public Set<String> names() {
		return this.queues.queues();
	}

	@Override
	public Answer<QueueStats> stats(Collection<String> queues) {
		Map<String, QueueStats> values = new TreeMap<>();
		queues.forEach((queue) -> values.put(queue, this.queues.numbers(queue)));
		return new Answer<>(values, Map.of());
	}

	/** The only server is this application's, which is not listed. */
	@Override
	public Map<String, Long> consumers() {
		return Map.of();
	}

	/** Nobody knows, so the meter has no value. */
	@Override
	public Answer<Long> memoryUsage(Map<String, QueueStats> queues) {
		return new Answer<>(Map.of(), Map.of());
	}

}
