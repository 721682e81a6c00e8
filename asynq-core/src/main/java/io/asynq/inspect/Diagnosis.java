package io.asynq.inspect;

import java.util.List;
import java.util.Map;

import io.asynq.broker.Inconsistency;

/**
 * What was wrong in a queue while it was looked at.
 *
 * @param queue the queue
 * @param counts how often each kind was found; kinds that were not found are absent
 * @param inconsistencies one page of them
 * @param page the page, counted from 1
 * @param pages how many pages there are
 */
public record Diagnosis(String queue, Map<Inconsistency.Kind, Long> counts, List<Inconsistency> inconsistencies,
		int page, int pages) {

	/**
	 * Returns whether nothing was found.
	 * @return whether the queue is in order
	 */
	public boolean isClean() {
		return this.counts.isEmpty();
	}

}
