package io.asynq.inspect;

import java.util.List;
import java.util.Map;

import io.asynq.broker.Inconsistency;

/**
 * What a repair has done, or would do.
 *
 * @param queue the queue
 * @param dryRun whether nothing was changed
 * @param mended how much of each kind was mended; in a dry run, how much was found
 * @param examples the first of them, at most 1,000
 * @param left how much was found but not mended: it was gone by then, or a key that would
 * have to be written has the wrong type
 */
public record RepairReport(String queue, boolean dryRun, Map<Inconsistency.Kind, Long> mended,
		List<Inconsistency> examples, long left) {
}
