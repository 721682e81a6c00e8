package io.asynq.metrics;

import java.util.ArrayList;
import java.util.List;

import io.asynq.TaskState;
import io.asynq.inspect.QueueStats;
import io.prometheus.metrics.model.registry.Collector;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot.GaugeDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.Labels;
import io.prometheus.metrics.model.snapshots.MetricMetadata;
import io.prometheus.metrics.model.snapshots.MetricSnapshot;

/**
 * Publishes those series of Go's exporter that Micrometer cannot name, such as a gauge
 * that ends in {@code _total}; needs {@code prometheus-metrics-model} 1.6 or newer.
 */
public final class QueueCollector implements AutoCloseable {

	private static final MetricMetadata ENQUEUED = new MetricMetadata("asynq_tasks_enqueued_total",
			"Number of tasks in the queue by state, without aggregating ones");

	private static final MetricMetadata PAUSED = new MetricMetadata("asynq_queue_paused_total",
			"Whether the queue is paused");

	private final QueueValues values;

	private final PrometheusRegistry registry;

	// Two collectors of one metric each: a scrape asks these before Micrometer's, so the
	// first scrape after a pause waits here, and then finds the meters of all queues
	private final Collector enqueued = this::enqueued;

	private final Collector paused = this::paused;

	private QueueCollector(QueueValues values, PrometheusRegistry registry) {
		this.values = values;
		this.registry = registry;
	}

	public static QueueCollector register(QueueMetrics metrics, PrometheusRegistry registry) {
		QueueCollector collector = new QueueCollector(metrics.values(), registry);
		registry.register(collector.enqueued);
		registry.register(collector.paused);
		return collector;
	}

	@Override
	public void close() {
		this.registry.unregister(this.enqueued);
		this.registry.unregister(this.paused);
	}

	private MetricSnapshot enqueued() {
		List<GaugeDataPointSnapshot> points = new ArrayList<>();
		for (String queue : this.values.queues()) {
			for (TaskState state : TaskState.stored()) {
				if (state != TaskState.AGGREGATING) {
					points.add(point(this.values.number(queue, (stats) -> stats.sizes().get(state)),
							Labels.of("queue", queue, "state", state.wireName())));
				}
			}
		}
		return new GaugeSnapshot(ENQUEUED, points);
	}

	private MetricSnapshot paused() {
		List<GaugeDataPointSnapshot> points = new ArrayList<>();
		for (String queue : this.values.queues()) {
			points.add(point(this.values.number(queue, QueueCollector::paused), Labels.of("queue", queue)));
		}
		return new GaugeSnapshot(PAUSED, points);
	}

	private static double paused(QueueStats stats) {
		return stats.paused() ? 1 : 0;
	}

	private static GaugeDataPointSnapshot point(double value, Labels labels) {
		return new GaugeDataPointSnapshot(value, labels, null);
	}

}
