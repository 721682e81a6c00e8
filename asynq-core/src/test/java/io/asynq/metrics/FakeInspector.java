package io.asynq.metrics;

import java.time.Duration;
import java.time.Instant;
import java.util.EnumMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

import io.asynq.BrokerUnavailableException;
import io.asynq.TaskState;
import io.asynq.info.QueueInfo;
import io.asynq.info.QueueStats;
import io.asynq.info.QueueStats.Counters;
import io.asynq.test.UnusedInspector;

/**
 * Queues as data, and a Redis that can be unavailable.
 */
final class FakeInspector extends UnusedInspector {

	final Map<String, QueueInfo> queues = new ConcurrentHashMap<>();

	final Set<String> failing = ConcurrentHashMap.newKeySet();

	final AtomicInteger listed = new AtomicInteger();

	volatile boolean away;

	/**
	 * Adds a queue; half of its attempts are of today.
	 */
	void queue(String name, long pending, long processed, long failed) {
		Map<TaskState, Long> sizes = new EnumMap<>(TaskState.class);
		for (TaskState state : TaskState.values()) {
			sizes.put(state, 0L);
		}
		sizes.put(TaskState.PENDING, pending);
		sizes.put(TaskState.RETRY, 1L);
		this.queues.put(name,
				new QueueInfo(name, new QueueStats(sizes, 0, Duration.ofMillis(1500),
						new Counters(processed / 2, failed / 2), new Counters(processed, failed), true),
						Instant.EPOCH));
	}

	@Override
	public Set<String> queues() {
		this.listed.incrementAndGet();
		if (this.away) {
			throw new BrokerUnavailableException("Redis is away", null);
		}
		return this.queues.keySet();
	}

	@Override
	public QueueInfo queueInfo(String queue) {
		if (this.failing.contains(queue)) {
			throw new BrokerUnavailableException("Queue cannot be read", null);
		}
		return this.queues.get(queue);
	}

}
