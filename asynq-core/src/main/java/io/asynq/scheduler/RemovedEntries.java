package io.asynq.scheduler;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * Entries that were removed and whose histories are still to be deleted. That is done a
 * moment after the removal: a provider may bring an entry back with another spec, and
 * other schedulers that remove the same ones must have time to say so. Safe for
 * concurrent use.
 */
final class RemovedEntries {

	private static final long MOMENT_NANOS = TimeUnit.SECONDS.toNanos(1);

	/** When each was removed, in nano time. */
	private final Map<String, Long> removed = new HashMap<>();

	private final LongSupplier nanoTime;

	RemovedEntries(LongSupplier nanoTime) {
		this.nanoTime = nanoTime;
	}

	synchronized void add(String id) {
		this.removed.put(id, this.nanoTime.getAsLong());
	}

	/**
	 * Takes those whose moment is over.
	 * @return their ids
	 */
	synchronized Set<String> takeDue() {
		long now = this.nanoTime.getAsLong();
		Set<String> due = new HashSet<>();
		this.removed.forEach((id, nanos) -> {
			if (now - nanos >= MOMENT_NANOS) {
				due.add(id);
			}
		});
		this.removed.keySet().removeAll(due);
		return due;
	}

	/**
	 * Takes them all.
	 * @return their ids
	 */
	synchronized Set<String> takeAll() {
		Set<String> all = new HashSet<>(this.removed.keySet());
		this.removed.clear();
		return all;
	}

	synchronized boolean isEmpty() {
		return this.removed.isEmpty();
	}

}
