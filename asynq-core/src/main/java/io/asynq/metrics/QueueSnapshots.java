package io.asynq.metrics;

import java.time.Duration;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.function.ToDoubleFunction;

import io.asynq.info.QueueStats;
import org.jspecify.annotations.Nullable;

/**
 * The last numbers of each queue. Numbers that are too old are unknown. Safe for
 * concurrent use; one thread writes.
 */
final class QueueSnapshots {

	/** They are listed apart from the queues, at a cost of their own. */
	private static final Duration CONSUMERS_INTERVAL = Duration.ofSeconds(30);

	private final Duration maxAge;

	private final LongSupplier nanoTime;

	private volatile Map<String, Snapshot> known = Map.of();

	private volatile long readAt;

	private volatile @Nullable Consumers consumers;

	/**
	 * Creates the memory, without any numbers.
	 * @param maxAge how long numbers are valid
	 */
	QueueSnapshots(Duration maxAge, LongSupplier nanoTime) {
		this.maxAge = maxAge;
		this.nanoTime = nanoTime;
		this.readAt = nanoTime.getAsLong();
	}

	/**
	 * Stores what was read, and forgets queues that are not listed any more.
	 * @param listed the queues that exist
	 * @param stats those of them that could be read; the others keep their numbers
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

	/** Returns whether it is time to read how many servers serve each queue. */
	boolean needsConsumers() {
		Consumers read = this.consumers;
		return read == null || this.nanoTime.getAsLong() - read.at() >= CONSUMERS_INTERVAL.toNanos();
	}

	/**
	 * Stores how many servers serve each queue.
	 * @param servers their number by queue that has some
	 */
	void storeConsumers(Map<String, Long> servers) {
		this.consumers = new Consumers(servers, this.nanoTime.getAsLong());
	}

	/** Returns how many servers serve a queue, NaN if it is not known. */
	double consumers(String queue) {
		Consumers read = this.consumers;
		return (read != null && this.nanoTime.getAsLong() - read.at() <= CONSUMERS_INTERVAL.plus(this.maxAge).toNanos())
				? read.servers().getOrDefault(queue, 0L) : Double.NaN;
	}

	/** Returns the queues that exist and have been read at least once. */
	Set<String> queues() {
		return this.known.keySet();
	}

	/**
	 * Returns a number of a queue.
	 * @return the number, NaN if it is too old or the queue does not exist
	 */
	double value(String queue, ToDoubleFunction<QueueStats> number) {
		Snapshot snapshot = this.known.get(queue);
		return (snapshot != null && this.nanoTime.getAsLong() - snapshot.at() <= this.maxAge.toNanos())
				? number.applyAsDouble(snapshot.stats()) : Double.NaN;
	}

	/**
	 * Returns how many seconds ago queues were last read.
	 * @return the time since this object was made if they were never read
	 */
	double age() {
		return (this.nanoTime.getAsLong() - this.readAt) / (double) TimeUnit.SECONDS.toNanos(1);
	}

	private record Consumers(Map<String, Long> servers, long at) {
	}

	private record Snapshot(QueueStats stats, long at) {
	}

}
