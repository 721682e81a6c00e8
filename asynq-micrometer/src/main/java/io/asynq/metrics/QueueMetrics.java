package io.asynq.metrics;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.LongSupplier;

import io.asynq.Broker;
import io.asynq.internal.broker.RedisBroker;
import io.asynq.internal.inspect.ManyQueues;
import io.asynq.internal.limit.LimitReader;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import org.springframework.context.SmartLifecycle;

/**
 * Queues are read in the background, only while a registry reads meters; a meter returns
 * what was read last and never waits for Redis, except the first one after a pause.
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

	/** Redis is not touched before {@link #start()}; the caller closes the broker. */
	public static QueueMetrics create(Broker broker, QueueMetricsOptions options) {
		RedisBroker redis = RedisBroker.of(broker);
		return new QueueMetrics(redis.manyQueues(), redis.limitReader(), options, System::nanoTime, LONGEST_WAIT);
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

	/** For registries of other libraries. */
	QueueValues values() {
		return this.values;
	}

	/**
	 * Reads something else as often as queues, by the same thread and after them; it must
	 * not throw.
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
