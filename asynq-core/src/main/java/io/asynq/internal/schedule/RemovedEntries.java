package io.asynq.internal.schedule;

import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.function.Predicate;

/**
 * Data of removed entries is deleted a moment later, because a provider may register the
 * entry again with another spec, and other schedulers that remove it need time to do so.
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

	synchronized Map<String, String> takeDue() {
		long now = this.nanoTime.getAsLong();
		return take((entry) -> now - entry.nanos() >= MOMENT_NANOS);
	}

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
