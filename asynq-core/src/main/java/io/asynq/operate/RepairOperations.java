package io.asynq.operate;

import java.util.Set;

import io.asynq.AsynqException;
import io.asynq.QueueNotFoundException;
import io.asynq.info.Inconsistency;
import io.asynq.inspect.AsynqInspector;
import io.asynq.repair.Diagnosis;
import io.asynq.repair.RepairReport;
import org.jspecify.annotations.Nullable;

/**
 * Searches queues for what makes no sense, and repairs it, a part at a time. Safe for
 * concurrent use.
 */
public final class RepairOperations {

	/** How many tasks and keys one call looks at unless told: far below a second. */
	static final int LIMIT = 20_000;

	static final int LARGEST_LIMIT = 1_000_000;

	private final AsynqInspector inspector;

	public RepairOperations(AsynqInspector inspector) {
		this.inspector = inspector;
	}

	/**
	 * Returns the inconsistencies of a part of a queue.
	 * @param cursor the cursor of an earlier answer, {@code null} to begin
	 * @param limit about how many tasks and keys to look at, from 1 to
	 * {@value #LARGEST_LIMIT}; {@code null} for {@value #LIMIT}
	 */
	public Diagnosis diagnose(String queue, @Nullable String cursor, @Nullable Integer limit) {
		Diagnosis diagnosis = this.inspector.diagnose(queue, cursor, requireLimit(limit));
		requireQueue(queue, diagnosis.isClean() && diagnosis.next() == null);
		return diagnosis;
	}

	/**
	 * Repairs a part of a queue.
	 * @param kinds what to repair
	 * @param dryRun whether only to tell what would be repaired
	 * @param cursor the cursor of an earlier answer, {@code null} to begin
	 * @param limit about how many tasks and keys to look at, from 1 to
	 * {@value #LARGEST_LIMIT}; {@code null} for {@value #LIMIT}
	 */
	public RepairReport repair(String queue, Set<Inconsistency.Kind> kinds, boolean dryRun, @Nullable String cursor,
			@Nullable Integer limit) {
		RepairReport report = this.inspector.repair(queue, kinds, dryRun, cursor, requireLimit(limit));
		requireQueue(queue, report.repaired().isEmpty() && report.left() == 0 && report.next() == null);
		return report;
	}

	private static int requireLimit(@Nullable Integer limit) {
		int looks = (limit != null) ? limit : LIMIT;
		if (looks < 1 || looks > LARGEST_LIMIT) {
			throw new AsynqException("Parameter 'limit' must be from 1 to " + LARGEST_LIMIT + ", but is " + looks);
		}
		return looks;
	}

	/** A queue that is not listed may have keys, and then that is what is wrong. */
	private void requireQueue(String queue, boolean clean) {
		if (clean && !this.inspector.queues().contains(queue)) {
			throw new QueueNotFoundException(queue);
		}
	}

}
