package io.asynq.metrics;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.LongSupplier;

import io.asynq.broker.Broker;
import io.asynq.broker.ManyQueues;
import io.asynq.broker.limit.LimitReader;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;

import org.springframework.context.SmartLifecycle;

/**
 * Publishes the state of queues, with the names of Go's exporter where possible:
 * {@code asynq.queue.size}, {@code asynq.queue.latency} (seconds),
 * {@code asynq.queue.memory.usage.approx} (bytes), {@code asynq.queue.failures} (failed
 * today), {@code asynq.queue.paused}, {@code asynq.queue.groups},
 * {@code asynq.queue.consumers}, {@code asynq.queue.orphaned.tasks},
 * {@code asynq.queue.tasks} by state, and the counters {@code asynq.tasks.processed} and
 * {@code asynq.tasks.failed}, all with the tag {@code queue};
 * {@code asynq.queue.limit.waiting}, by queue; {@code asynq.limit.concurrent},
 * {@code asynq.limit.held}, {@code asynq.limit.waiting} and {@code asynq.limit.keys}, by
 * {@code limit}; {@code asynq.queue.snapshot.age} (seconds) and
 * {@code asynq.queue.snapshot.errors}.
 * <p>
 * Between start and stop all queues are read in the background, at a cost that does not
 * grow with the number of tasks, and only while a registry reads meters: until nobody has
 * done so for five minutes, and for three times the longest gap between two reads of
 * meters. A meter returns what was read last, and never waits for Redis, except for the
 * first one after such a pause, which waits for at most a second. Meters come and go with
 * their queues. Values that are older than {@link QueueMetricsOptions#maxAge()} are NaN.
 * <p>
 * Every application on the same Redis publishes the same values. No method throws because
 * of Redis. Safe for concurrent use.
 */
public final class QueueMetrics implements MeterBinder, SmartLifecycle {

	private static final Duration LONGEST_WAIT = Duration.ofSeconds(1);

	private final QueueSnapshots snapshots;

	private final QueueReads reader;

	private final LimitReads limits;

	private final ReadOnDemand reads;

	private final QueueValues values;

	private final List<QueueMeters> meters = new CopyOnWriteArrayList<>();

	private final List<LimitMeters> limitMeters = new CopyOnWriteArrayList<>();

	private final List<Runnable> others = new CopyOnWriteArrayList<>();

	/**
	 * @param longestWait how long the first one who reads a meter waits
	 */
	QueueMetrics(ManyQueues queues, LimitReader limits, QueueMetricsOptions options, LongSupplier nanoTime,
			Duration longestWait) {
		MemorySamples memory = options.memoryUsage() ? new MemorySamples(options.maxAge(), nanoTime) : null;
		this.snapshots = new QueueSnapshots(options.maxAge(), nanoTime);
		this.reader = new QueueReads(queues, new QueueFilter(options.names(), options.maxQueues()), this.snapshots,
				memory);
		this.limits = new LimitReads(limits, options, nanoTime);
		this.reads = new ReadOnDemand(this::read, options.interval(), new Demand(nanoTime), longestWait);
		this.values = new QueueValues(this.reads, this.reader, this.snapshots, memory, this.limits);
	}

	/**
	 * Creates the metrics; Redis is not touched before {@link #start()}.
	 * @param broker the store; the caller closes it
	 * @param options the settings
	 * @return the metrics
	 */
	public static QueueMetrics create(Broker broker, QueueMetricsOptions options) {
		return new QueueMetrics(broker.manyQueues(), broker.limitReader(), options, System::nanoTime, LONGEST_WAIT);
	}

	@Override
	public void bindTo(MeterRegistry registry) {
		QueueMeters bound = new QueueMeters(registry, this.values);
		bound.registerOwn();
		this.meters.add(bound);
		bound.follow(this.snapshots.queues());
		LimitMeters limits = new LimitMeters(registry, this.values);
		this.limitMeters.add(limits);
		limits.follow();
	}

	@Override
	public void start() {
		this.reads.start();
	}

	@Override
	public void stop() {
		this.reads.stop();
	}

	@Override
	public boolean isRunning() {
		return this.reads.isRunning();
	}

	/** What the meters show, for registries of other libraries. */
	QueueValues values() {
		return this.values;
	}

	/**
	 * Adds something that is read as often as queues, by the same thread and after them.
	 * @param other reads once, and throws nothing
	 */
	public void alsoRead(Runnable other) {
		this.others.add(other);
	}

	/** Meters are there before whoever waits for values goes on. */
	private void read() {
		this.reader.read();
		this.limits.read();
		this.meters.forEach((bound) -> bound.follow(this.snapshots.queues()));
		this.limitMeters.forEach(LimitMeters::follow);
		this.others.forEach(Runnable::run);
	}

}
