package io.asynq.metrics;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.ToDoubleFunction;

import io.asynq.TaskState;
import io.asynq.info.QueueInfo;
import io.asynq.lifecycle.UserCode;
import io.asynq.logging.OneLineLogger;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.TimeGauge;
import org.slf4j.Logger;

/**
 * The meters of all queues in one registry.
 */
final class QueueMeters {

	private static final Logger logger = OneLineLogger.of(QueueMeters.class);

	private static final String QUEUE = "queue";

	private final MeterRegistry registry;

	private final QueueSnapshots snapshots;

	private final Map<String, List<Meter>> registered = new HashMap<>();

	QueueMeters(MeterRegistry registry, QueueSnapshots snapshots) {
		this.registry = registry;
		this.snapshots = snapshots;
	}

	/**
	 * Registers the meters of new queues and removes those of deleted ones. A queue whose
	 * meters are rejected by the registry or a filter has none.
	 */
	synchronized void follow(Set<String> queues) {
		for (String queue : queues) {
			if (!this.registered.containsKey(queue)) {
				List<Meter> meters = new ArrayList<>();
				this.registered.put(queue, meters);
				UserCode.run(() -> register(queue, meters),
						(shown) -> logger.warn(
								"Queue '{}' lacks meters because a meter registry or one of its filters failed", queue,
								shown));
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
		meters.add(gauge("asynq.queue.size", "Number of tasks in the queue in all states", queue, QueueInfo::size));
		meters.add(TimeGauge
			.builder("asynq.queue.latency", this.snapshots, TimeUnit.SECONDS,
					value(queue, (info) -> info.latency().toNanos() / 1e9))
			.description("Time for which the next pending task has been waiting")
			.tag(QUEUE, queue)
			.register(this.registry));
		meters
			.add(gauge("asynq.queue.failures", "Number of attempts that failed today (UTC)", queue, QueueInfo::failed));
		meters.add(gauge("asynq.queue.paused", "Whether the queue is paused", queue, (info) -> info.paused() ? 1 : 0));
		for (TaskState state : TaskState.values()) {
			meters.add(Gauge.builder("asynq.queue.tasks", this.snapshots, value(queue, (info) -> info.size(state)))
				.description("Number of tasks in the queue by state")
				.tags(QUEUE, queue, "state", state.wireName())
				.register(this.registry));
		}
		meters.add(counter("asynq.tasks.processed", "Number of attempts that ended, successful or not", queue,
				QueueInfo::processedTotal));
		meters.add(counter("asynq.tasks.failed", "Number of attempts that failed", queue, QueueInfo::failedTotal));
	}

	private Meter gauge(String name, String description, String queue, ToDoubleFunction<QueueInfo> reader) {
		return Gauge.builder(name, this.snapshots, value(queue, reader))
			.description(description)
			.tag(QUEUE, queue)
			.register(this.registry);
	}

	// Not a Counter: the number lives in Redis
	private Meter counter(String name, String description, String queue, ToDoubleFunction<QueueInfo> reader) {
		return FunctionCounter.builder(name, this.snapshots, new LastKnown(value(queue, reader)))
			.description(description)
			.tag(QUEUE, queue)
			.register(this.registry);
	}

	private static ToDoubleFunction<QueueSnapshots> value(String queue, ToDoubleFunction<QueueInfo> reader) {
		return (snapshots) -> snapshots.find(queue).map(reader::applyAsDouble).orElse(Double.NaN);
	}

	/**
	 * Repeats the last value while there is none, because a falling counter looks like a
	 * restart.
	 */
	private static final class LastKnown implements ToDoubleFunction<QueueSnapshots> {

		private final ToDoubleFunction<QueueSnapshots> reader;

		private volatile double last;

		LastKnown(ToDoubleFunction<QueueSnapshots> reader) {
			this.reader = reader;
		}

		@Override
		public double applyAsDouble(QueueSnapshots snapshots) {
			double value = this.reader.applyAsDouble(snapshots);
			if (!Double.isNaN(value)) {
				this.last = value;
			}
			return this.last;
		}

	}

}
