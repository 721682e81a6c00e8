package io.asynq.scheduler;

import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.function.Predicate;

/**
 * Removed entries whose data is still in Redis. The data is deleted a moment after the
 * removal, because a provider may register the entry again with another spec, and other
 * schedulers that remove the same entry need time to do so. Safe for concurrent use.
 */
final class RemovedEntries {

	private static final long MOMENT_NANOS = TimeUnit.SECONDS.toNanos(1);

	private final Map<String, Removed> removed = new HashMap<>();

	private final LongSupplier nanoTime;

	RemovedEntries(LongSupplier nanoTime) {
		this.nanoTime = nanoTime;
	}

	synchronized void add(String id, String queue) {
		this.removed.put(id, new Removed(queue, this.nanoTime.getAsLong()));
	}

	/**
	 * Takes the entries whose data is to be deleted now: queue by id.
	 */
	synchronized Map<String, String> takeDue() {
		long now = this.nanoTime.getAsLong();
		return take((entry) -> now - entry.nanos() >= MOMENT_NANOS);
	}

	/**
	 * Takes all entries: queue by id.
	 */
	synchronized Map<String, String> takeAll() {
		return take((entry) -> true);
	}

	synchronized boolean isEmpty() {
		return this.removed.isEmpty();
	}

	private Map<String, String> take(Predicate<Removed> which) {
		Map<String, String> taken = new HashMap<>();
		this.removed.forEach((id, entry) -> {
			if (which.test(entry)) {
				taken.put(id, entry.queue());
			}
		});
		this.removed.keySet().removeAll(taken.keySet());
		return taken;
	}

	private record Removed(String queue, long nanos) {
	}

}
