package io.asynq.metrics;

import java.time.Duration;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.function.ToDoubleFunction;

import io.asynq.inspect.QueueStats;
import org.jspecify.annotations.Nullable;

/**
 * Numbers that are too old are unknown; one thread writes.
 */
final class QueueSnapshots {

	/** They are listed apart from the queues, at a cost of their own. */
	private static final Duration CONSUMERS_INTERVAL = Duration.ofSeconds(30);

	private final Duration maxAge;

	private final LongSupplier nanoTime;

	private volatile Map<String, Snapshot> known = Map.of();

	private volatile long readAt;

	private volatile @Nullable Consumers consumers;

	QueueSnapshots(Duration maxAge, LongSupplier nanoTime) {
		this.maxAge = maxAge;
		this.nanoTime = nanoTime;
		this.readAt = nanoTime.getAsLong();
	}

	/**
	 * Queues that are not listed any more are forgotten; those that could not be read
	 * keep their numbers.
	 */
	void store(Collection<String> listed, Map<String, QueueStats> stats) {
		long now = this.nanoTime.getAsLong();
		Map<String, Snapshot> next = new LinkedHashMap<>();
		for (String queue : listed) {
			QueueStats read = stats.get(queue);
			Snapshot snapshot = (read != null) ? new Snapshot(read, now) : this.known.get(queue);
			if (snapshot != null) {
				next.put(queue, snapshot);
			}
		}
		this.known = next;
		if (!stats.isEmpty() || listed.isEmpty()) {
			this.readAt = now;
		}
	}

	boolean needsConsumers() {
		Consumers read = this.consumers;
		return read == null || this.nanoTime.getAsLong() - read.at() >= CONSUMERS_INTERVAL.toNanos();
	}

	void storeConsumers(Map<String, Long> servers) {
		this.consumers = new Consumers(servers, this.nanoTime.getAsLong());
	}

	/** NaN if it is not known. */
	double consumers(String queue) {
		Consumers read = this.consumers;
		return (read != null && this.nanoTime.getAsLong() - read.at() <= CONSUMERS_INTERVAL.plus(this.maxAge).toNanos())
				? read.servers().getOrDefault(queue, 0L) : Double.NaN;
	}

	/** Only those that have been read at least once. */
	Set<String> queues() {
		return this.known.keySet();
	}

	/** NaN if it is too old or the queue does not exist. */
	double value(String queue, ToDoubleFunction<QueueStats> number) {
		Snapshot snapshot = this.known.get(queue);
		return (snapshot != null && this.nanoTime.getAsLong() - snapshot.at() <= this.maxAge.toNanos())
				? number.applyAsDouble(snapshot.stats()) : Double.NaN;
	}

	/**
	 * Seconds since queues were last read, or since this object was made if they never
	 * were.
	 */
	double age() {
		return (this.nanoTime.getAsLong() - this.readAt) / (double) TimeUnit.SECONDS.toNanos(1);
	}

	private record Consumers(Map<String, Long> servers, long at) {
	}

	private record Snapshot(QueueStats stats, long at) {
	}

}
