package io.asynq.scheduler;

import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/**
 * Entries that were removed and whose histories are still to be deleted. That is done a
 * moment later, for all of them at once: a provider may bring an entry back with another
 * spec, and other schedulers that remove the same ones must have time to say so. Safe for
 * concurrent use.
 */
final class RemovedEntries {

	private static final long MOMENT_NANOS = TimeUnit.SECONDS.toNanos(1);

	private final Set<String> ids = new HashSet<>();

	private long firstNanos;

	synchronized void add(String id) {
		if (this.ids.isEmpty()) {
			this.firstNanos = System.nanoTime();
		}
		this.ids.add(id);
	}

	/**
	 * Takes them all if the moment is over.
	 * @return their ids, none before
	 */
	synchronized Set<String> takeDue() {
		return (System.nanoTime() - this.firstNanos >= MOMENT_NANOS) ? takeAll() : new HashSet<>();
	}

	/**
	 * Takes them all.
	 * @return their ids
	 */
	synchronized Set<String> takeAll() {
		Set<String> taken = new HashSet<>(this.ids);
		this.ids.clear();
		return taken;
	}

	synchronized boolean isEmpty() {
		return this.ids.isEmpty();
	}

}
