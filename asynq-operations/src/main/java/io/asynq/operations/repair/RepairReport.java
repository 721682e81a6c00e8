package io.asynq.operations.repair;

import java.util.List;
import java.util.Map;

import org.jspecify.annotations.Nullable;

/**
 * The result of a repair or of a dry run.
 *
 * @param dryRun whether nothing was changed
 * @param repaired number of repaired inconsistencies by kind; in a dry run, of those
 * found
 * @param examples the first of them, up to 1,000
 * @param left number of inconsistencies that were found but not repaired, because they
 * were gone by then, or because a key to write has the wrong type
 * @param next where to go on, {@code null} if the end of the queue was reached
 */
public record RepairReport(String queue, boolean dryRun, Map<Inconsistency.Kind, Long> repaired,
		List<Inconsistency> examples, long left, @Nullable String next) {
}
