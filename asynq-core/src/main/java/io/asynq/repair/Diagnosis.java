package io.asynq.repair;

import java.util.List;
import java.util.Map;

import io.asynq.info.Inconsistency;
import org.jspecify.annotations.Nullable;

/**
 * The inconsistencies of a queue, or of the part of it that was searched.
 *
 * @param queue the queue
 * @param counts number of inconsistencies by kind; kinds that were not found are absent
 * @param inconsistencies the first of them, up to 1,000
 * @param next where to go on, {@code null} if the search has come to the end
 */
public record Diagnosis(String queue, Map<Inconsistency.Kind, Long> counts, List<Inconsistency> inconsistencies,
		@Nullable String next) {

	/**
	 * Tells whether what was searched is consistent.
	 * @return whether nothing was found
	 */
	public boolean isClean() {
		return this.counts.isEmpty();
	}

}
