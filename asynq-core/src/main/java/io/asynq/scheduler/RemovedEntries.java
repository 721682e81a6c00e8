package io.asynq.scheduler;

import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.function.Predicate;

/**
 * Entries that were removed and of which Redis still knows something. That is deleted a
 * moment after the removal: a provider may bring an entry back with another spec, and
 * other schedulers that remove the same ones must have time to say so. Safe for
 * concurrent use.
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
	 * Takes those whose moment is over.
	 * @return their queues by their ids
	 */
	synchronized Map<String, String> takeDue() {
		long now = this.nanoTime.getAsLong();
		return take((entry) -> now - entry.nanos() >= MOMENT_NANOS);
	}

	/**
	 * Takes them all.
	 * @return their queues by their ids
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

	/**
	 * A removed entry.
	 *
	 * @param queue the queue of its tasks
	 * @param nanos when it was removed, in nano time
	 */
	private record Removed(String queue, long nanos) {
	}

}
