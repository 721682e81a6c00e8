package io.asynq.metrics;

import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;

import io.asynq.AsynqException;
import io.asynq.inspect.AsynqInspector;
import io.asynq.lifecycle.PeriodicRunner;
import io.asynq.logging.OneLineLogger;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import org.slf4j.Logger;

import org.springframework.context.SmartLifecycle;

/**
 * Publishes the state of all queues, with the names of Go's exporter where possible:
 * {@code asynq.queue.size}, {@code asynq.queue.latency} (seconds),
 * {@code asynq.queue.failures} (failed today), {@code asynq.queue.paused},
 * {@code asynq.queue.tasks} by state, and the counters {@code asynq.tasks.processed} and
 * {@code asynq.tasks.failed}, all with the tag {@code queue}.
 * <p>
 * Values are read from Redis on demand, at most once per second, at a cost that does not
 * grow with the number of tasks. Between start and stop, meters are added and removed
 * with their queues; a queue that cannot be read has none. Every application on the same
 * Redis publishes the same values. Safe for concurrent use.
 */
public final class QueueMetrics implements MeterBinder, SmartLifecycle {

	private static final Logger logger = OneLineLogger.of(QueueMetrics.class);

	private static final Duration DISCOVERY_INTERVAL = Duration.ofSeconds(1);

	private static final Duration STOP_TIMEOUT = Duration.ofSeconds(5);

	private final QueueSnapshots snapshots;

	private final List<QueueMeters> meters = new CopyOnWriteArrayList<>();

	private final PeriodicRunner discovery;

	/**
	 * Creates the metrics; Redis is not touched before {@link #start()}.
	 * @param inspector the inspector that reads the queues
	 */
	public QueueMetrics(AsynqInspector inspector) {
		this.snapshots = new QueueSnapshots(inspector, System::nanoTime);
		this.discovery = new PeriodicRunner("asynq-queue-metrics", this::discover);
	}

	@Override
	public void bindTo(MeterRegistry registry) {
		this.meters.add(new QueueMeters(registry, this.snapshots));
		this.discovery.wake();
	}

	@Override
	public void start() {
		this.discovery.start();
	}

	@Override
	public void stop() {
		this.discovery.stop(STOP_TIMEOUT);
	}

	@Override
	public boolean isRunning() {
		return this.discovery.isRunning();
	}

	private Duration discover() {
		try {
			Set<String> queues = this.snapshots.current().queues();
			this.meters.forEach((candidate) -> candidate.follow(queues));
		}
		catch (AsynqException ex) {
			// The server and the health check report an outage of Redis
			logger.debug("Queues cannot be listed for the metrics: {}", ex.getMessage());
		}
		return DISCOVERY_INTERVAL;
	}

}
