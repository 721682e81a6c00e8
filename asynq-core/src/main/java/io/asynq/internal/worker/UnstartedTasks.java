package io.asynq.internal.worker;

import java.util.HashMap;
import java.util.Map;

/**
 * Counts tasks that were fetched and have not started; used under a lock.
 */
public final class UnstartedTasks {

	private final Map<String, Integer> counts = new HashMap<>();

	/** Those of them that will not start, not yet reported by {@link #takeReturned()}. */
	private final Map<String, Integer> returned = new HashMap<>();

	public void add(String queue) {
		this.counts.merge(queue, 1, Integer::sum);
	}

	public void started(String queue) {
		this.counts.merge(queue, -1, Integer::sum);
	}

	public void returned(String queue) {
		this.returned.merge(queue, 1, Integer::sum);
	}

	/** Includes those that {@link #takeReturned()} has not reported. */
	public int of(String queue) {
		return this.counts.getOrDefault(queue, 0);
	}

	public Map<String, Integer> takeReturned() {
		if (this.returned.isEmpty()) {
			return Map.of();
		}
		Map<String, Integer> taken = Map.copyOf(this.returned);
		this.returned.clear();
		taken.forEach((queue, tasks) -> this.counts.merge(queue, -tasks, Integer::sum));
		return taken;
	}

}
