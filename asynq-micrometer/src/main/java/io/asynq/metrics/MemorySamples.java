package io.asynq.metrics;

import java.time.Duration;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;

/**
 * Estimates of memory cost Redis far more than all other numbers, so each is made at most
 * once a minute, and not all of them at once; one thread writes.
 */
final class MemorySamples {

	private static final Duration INTERVAL = Duration.ofMinutes(1);

	/** With numbers of 1,000 queues, they are still read in 20 round trips. */
	private static final int AT_ONCE = 256;

	private final long validity;

	private final LongSupplier nanoTime;

	private final Map<String, Sample> samples = new ConcurrentHashMap<>();

	/**
	 * @param maxAge for how long estimates remain valid while they cannot be made again
	 */
	MemorySamples(Duration maxAge, LongSupplier nanoTime) {
		// An estimate that is due may have to wait for its turn
		this.validity = INTERVAL.multipliedBy(2).plus(maxAge).toNanos();
		this.nanoTime = nanoTime;
	}

	/** The oldest first; estimates of other queues are forgotten. */
	List<String> due(Set<String> queues) {
		this.samples.keySet().retainAll(queues);
		long now = this.nanoTime.getAsLong();
		return queues.stream()
			.filter((queue) -> isOlder(queue, INTERVAL, now))
			.sorted(Comparator.comparingLong((queue) -> -age(queue, now)))
			.limit(AT_ONCE)
			.toList();
	}

	/**
	 * @param tried the queues that were asked, not to be asked again at once
	 */
	void store(Collection<String> tried, Map<String, Long> bytes) {
		long now = this.nanoTime.getAsLong();
		for (String queue : tried) {
			Sample last = this.samples.get(queue);
			Long estimate = bytes.get(queue);
			this.samples.put(queue, (estimate != null) ? new Sample(estimate, now, now)
					: new Sample((last != null) ? last.bytes() : Double.NaN, (last != null) ? last.at() : now, now));
		}
	}

	/** Bytes, NaN if there is no estimate that is young enough. */
	double value(String queue) {
		Sample sample = this.samples.get(queue);
		return (sample != null && this.nanoTime.getAsLong() - sample.at() <= this.validity) ? sample.bytes()
				: Double.NaN;
	}

	private boolean isOlder(String queue, Duration age, long now) {
		return age(queue, now) >= age.toNanos();
	}

	private long age(String queue, long now) {
		Sample sample = this.samples.get(queue);
		return (sample != null) ? now - sample.triedAt() : Long.MAX_VALUE;
	}

	private record Sample(double bytes, long at, long triedAt) {
	}

}
