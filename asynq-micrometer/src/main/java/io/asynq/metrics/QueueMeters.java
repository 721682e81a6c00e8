package io.asynq.metrics;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.ToDoubleFunction;

import io.asynq.TaskState;
import io.asynq.inspect.QueueStats;
import io.asynq.internal.lifecycle.UserCode;
import io.asynq.internal.text.OneLineLogger;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.TimeGauge;
import org.slf4j.Logger;

final class QueueMeters {

	private static final Logger logger = OneLineLogger.of(QueueMeters.class);

	private static final String QUEUE = "queue";

	private final MeterRegistry registry;

	private final QueueValues values;

	private final Map<String, List<Meter>> registered = new HashMap<>();

	QueueMeters(MeterRegistry registry, QueueValues values) {
		this.registry = registry;
		this.values = values;
	}

	/** There even if there is no queue: reading these asks for queues. */
	void registerOwn() {
		TimeGauge.builder("asynq.queue.snapshot.age", this.values, TimeUnit.SECONDS, QueueValues::age)
			.description("Time since the numbers of queues were read from Redis")
			.register(this.registry);
		FunctionCounter.builder("asynq.queue.snapshot.errors", this.values, QueueValues::errors)
			.description("Number of times that queues, or one of them, could not be read for the metrics")
			.register(this.registry);
	}

	/** A queue whose meters are rejected by the registry or a filter has none. */
	synchronized void follow(Set<String> queues) {
		for (String queue : queues) {
			if (!this.registered.containsKey(queue)) {
				List<Meter> meters = new ArrayList<>();
				this.registered.put(queue, meters);
				UserCode.run(() -> register(queue, meters), (shown) -> logger
					.warn("Queue {} lacks meters because a meter registry or one of its filters failed", queue, shown));
			}
		}
		this.registered.entrySet().removeIf((entry) -> {
			boolean vanished = !queues.contains(entry.getKey());
			if (vanished) {
				entry.getValue().forEach(this::remove);
			}
			return vanished;
		});
	}

	private void remove(Meter meter) {
		UserCode.run(() -> this.registry.remove(meter), (shown) -> logger
			.warn("Meter '{}' of a deleted queue could not be removed", meter.getId().getName(), shown));
	}

	private void register(String queue, List<Meter> meters) {
		meters.add(gauge("asynq.queue.size", "Number of tasks in the queue in all states", queue, QueueMeters::size));
		meters.add(TimeGauge
			.builder("asynq.queue.latency", this.values, TimeUnit.SECONDS,
					number(queue, (stats) -> stats.latency().toNanos() / 1e9))
			.description("Time for which the next pending task has been waiting")
			.tag(QUEUE, queue)
			.register(this.registry));
		meters.add(gauge("asynq.queue.failures", "Number of attempts that failed today (UTC)", queue,
				(stats) -> stats.today().failed()));
		meters
			.add(gauge("asynq.queue.paused", "Whether the queue is paused", queue, (stats) -> stats.paused() ? 1 : 0));
		meters.add(gauge("asynq.queue.groups", "Number of groups with waiting tasks", queue, QueueStats::groups));
		meters.add(gauge("asynq.queue.limit.waiting",
				"Number of tasks in retry that have not failed, but wait for a limit", queue,
				QueueStats::waitingForLimit));
		meters.add(Gauge.builder("asynq.queue.consumers", this.values, (candidate) -> candidate.consumers(queue))
			.description("Number of live servers that take tasks from the queue")
			.tag(QUEUE, queue)
			.register(this.registry));
		meters.add(gauge("asynq.queue.orphaned.tasks", "Number of active tasks that belong to no live server", queue,
				QueueStats::orphaned));
		for (TaskState state : TaskState.stored()) {
			meters
				.add(Gauge.builder("asynq.queue.tasks", this.values, number(queue, (stats) -> stats.sizes().get(state)))
					.description("Number of tasks in the queue by state")
					.tags(QUEUE, queue, "state", state.wireName())
					.register(this.registry));
		}
		meters.add(counter("asynq.tasks.processed", "Number of attempts that ended, successful or not", queue,
				(stats) -> stats.total().processed()));
		meters.add(counter("asynq.tasks.failed", "Number of attempts that failed", queue,
				(stats) -> stats.total().failed()));
		if (this.values.hasMemory()) {
			meters.add(Gauge
				.builder("asynq.queue.memory.usage.approx", this.values, (candidate) -> candidate.memory(queue))
				.description("Memory that the queue takes in Redis, estimated from a few of its tasks")
				.baseUnit("bytes")
				.tag(QUEUE, queue)
				.register(this.registry));
		}
	}

	private Meter gauge(String name, String description, String queue, ToDoubleFunction<QueueStats> reader) {
		return Gauge.builder(name, this.values, number(queue, reader))
			.description(description)
			.tag(QUEUE, queue)
			.register(this.registry);
	}

	// Not a Counter: the number lives in Redis
	private Meter counter(String name, String description, String queue, ToDoubleFunction<QueueStats> reader) {
		return FunctionCounter.builder(name, this.values, number(queue, reader))
			.description(description)
			.tag(QUEUE, queue)
			.register(this.registry);
	}

	private static ToDoubleFunction<QueueValues> number(String queue, ToDoubleFunction<QueueStats> reader) {
		return (values) -> values.number(queue, reader);
	}

	private static double size(QueueStats stats) {
		return stats.sizes().values().stream().mapToLong(Long::longValue).sum();
	}

}
