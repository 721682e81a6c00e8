package io.asynq.operations.repair;

import java.util.List;
import java.util.Map;

import org.jspecify.annotations.Nullable;

/**
 * The inconsistencies of a queue, or of the part of it that was searched.
 *
 * @param counts number of inconsistencies by kind; kinds that were not found are absent
 * @param inconsistencies the first of them, up to 1,000
 * @param unhandled number of tasks that wait because no live server has a handler for
 * their type, by type, a hundred types at most; told with the first part of a queue
 * @param limited number of tasks in retry that have not failed, but wait for a limit;
 * told with the first part of a queue
 * @param held number of active tasks that wait for a worker in the prefetch buffers of
 * servers, as far as these can be read; told with the first part of a queue
 * @param next where to go on, {@code null} if the search has come to the end
 */
public record Diagnosis(String queue, Map<Inconsistency.Kind, Long> counts, List<Inconsistency> inconsistencies,
		Map<String, Long> unhandled, long limited, long held, @Nullable String next) {

	/**
	 * Returns whether what was searched is consistent. Tasks that wait for a handler, a
	 * limit or a worker are.
	 */
	public boolean isClean() {
		return this.counts.isEmpty();
	}

}
