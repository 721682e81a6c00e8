package io.asynq.scheduler;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The entries of a scheduler. Safe for concurrent use.
 */
final class Entries {

	private final Map<String, Entry> byId = new LinkedHashMap<>();

	synchronized void add(Entry entry) {
		Entry other = this.byId.putIfAbsent(entry.id(), entry);
		if (other != null) {
			throw new DuplicatePeriodicTaskException("Two periodic tasks have the id '" + entry.id() + "': " + other
					+ " and one of type '" + entry.source().type() + "' with spec '" + entry.info().spec()
					+ "'. Give one of them another id, or remove it");
		}
	}

	synchronized Entry remove(String id) {
		Entry removed = this.byId.remove(id);
		if (removed == null) {
			throw new PeriodicTaskNotFoundException(
					"There is no periodic task '" + id + "' in this scheduler; it has " + this.byId.keySet());
		}
		removed.remove();
		return removed;
	}

	synchronized List<Entry> all() {
		return List.copyOf(this.byId.values());
	}

	synchronized boolean isEmpty() {
		return this.byId.isEmpty();
	}

}
