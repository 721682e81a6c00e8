package io.asynq.metrics;

import java.time.Duration;
import java.util.Collection;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;

import io.asynq.AsynqException;
import io.asynq.BrokerException;
import io.asynq.BrokerUnavailableException;
import io.asynq.TaskState;
import io.asynq.inspect.QueueStats;
import io.asynq.inspect.QueueStats.Counters;
import io.asynq.internal.inspect.ManyQueues;

/**
 * Queues as data, and a Redis that can be away, slow or strict.
 */
final class FakeQueues implements ManyQueues {

	final Map<String, QueueStats> queues = new ConcurrentHashMap<>();

	final Map<String, Long> servers = new ConcurrentHashMap<>();

	final AtomicInteger listed = new AtomicInteger();

	final Set<String> refused = ConcurrentHashMap.newKeySet();

	final AtomicInteger reads = new AtomicInteger();

	final List<String> estimated = new CopyOnWriteArrayList<>();

	final AtomicReference<Runnable> slowness = new AtomicReference<>(() -> {
	});

	volatile boolean away;

	volatile boolean memoryRefused;

	volatile boolean serversRefused;

	/**
	 * Adds a queue; half of its attempts are of today.
	 */
	void queue(String name, long pending, long processed, long failed) {
		this.queues.put(name, stats(pending, processed, failed));
	}

	/** Adds a queue of whose tasks in retry some wait for limits. */
	void limited(String name, long retry, long waitingForLimit) {
		QueueStats some = stats(5, 0, 0);
		Map<TaskState, Long> sizes = new EnumMap<>(some.sizes());
		sizes.put(TaskState.RETRY, retry);
		this.queues.put(name, new QueueStats(sizes, 0, some.latency(), some.today(), some.total(), some.paused(),
				Duration.ZERO, waitingForLimit, 0));
	}

	static QueueStats stats(long pending, long processed, long failed) {
		Map<TaskState, Long> sizes = new EnumMap<>(TaskState.class);
		for (TaskState state : TaskState.stored()) {
			sizes.put(state, 0L);
		}
		sizes.put(TaskState.PENDING, pending);
		sizes.put(TaskState.RETRY, 1L);
		return new QueueStats(sizes, 3, Duration.ofMillis(1500), new Counters(processed / 2, failed / 2),
				new Counters(processed, failed), true);
	}

	@Override
	public Set<String> names() {
		this.reads.incrementAndGet();
		this.slowness.get().run();
		if (this.away) {
			throw new BrokerUnavailableException("Redis is away", null);
		}
		return this.queues.keySet();
	}

	@Override
	public Answer<QueueStats> stats(Collection<String> names) {
		Map<String, QueueStats> values = new LinkedHashMap<>();
		Map<String, AsynqException> errors = new LinkedHashMap<>();
		for (String name : names) {
			if (this.refused.contains(name)) {
				errors.put(name, new BrokerException("Queue cannot be read", null));
			}
			else {
				values.put(name, this.queues.get(name));
			}
		}
		return new Answer<>(values, errors);
	}

	@Override
	public Map<String, Long> consumers() {
		this.listed.incrementAndGet();
		if (this.serversRefused) {
			throw new BrokerException("No right to read servers", null);
		}
		return Map.copyOf(this.servers);
	}

	@Override
	public Answer<Long> memoryUsage(Map<String, QueueStats> names) {
		this.estimated.addAll(names.keySet());
		Map<String, Long> values = new LinkedHashMap<>();
		Map<String, AsynqException> errors = new LinkedHashMap<>();
		names.forEach((name, stats) -> {
			if (this.memoryRefused) {
				errors.put(name, new BrokerException("No right to run MEMORY", null));
			}
			else {
				values.put(name, 100 * stats.sizes().get(TaskState.PENDING));
			}
		});
		return new Answer<>(values, errors);
	}

}
