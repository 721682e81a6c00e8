package io.asynq.repair;

import java.util.List;
import java.util.Map;

import io.asynq.info.Inconsistency;

/**
 * The inconsistencies of a queue.
 *
 * @param queue the queue
 * @param counts number of inconsistencies by kind; kinds that were not found are absent
 * @param inconsistencies the inconsistencies of this page
 * @param page the page, counted from 1
 * @param pages number of pages
 */
public record Diagnosis(String queue, Map<Inconsistency.Kind, Long> counts, List<Inconsistency> inconsistencies,
		int page, int pages) {

	/**
	 * Tells whether the queue is consistent.
	 * @return whether nothing was found
	 */
	public boolean isClean() {
		return this.counts.isEmpty();
	}

}
