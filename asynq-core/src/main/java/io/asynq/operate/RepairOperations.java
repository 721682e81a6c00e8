package io.asynq.operate;

import java.util.Set;

import io.asynq.QueueNotFoundException;
import io.asynq.info.Inconsistency;
import io.asynq.inspect.AsynqInspector;
import io.asynq.repair.Diagnosis;
import io.asynq.repair.RepairReport;

/**
 * Searches queues for what makes no sense, and repairs it. Both walk through the whole
 * queue, in small steps. Safe for concurrent use.
 */
public final class RepairOperations {

	private final AsynqInspector inspector;

	public RepairOperations(AsynqInspector inspector) {
		this.inspector = inspector;
	}

	/**
	 * Returns a page of the inconsistencies of a queue.
	 * @param page counted from 1
	 */
	public Diagnosis diagnose(String queue, int page) {
		Diagnosis diagnosis = this.inspector.diagnose(queue, page);
		requireQueue(queue, diagnosis.isClean());
		return diagnosis;
	}

	/**
	 * Repairs a queue.
	 * @param kinds what to repair
	 * @param dryRun whether only to tell what would be repaired
	 */
	public RepairReport repair(String queue, Set<Inconsistency.Kind> kinds, boolean dryRun) {
		RepairReport report = this.inspector.repair(queue, kinds, dryRun);
		requireQueue(queue, report.repaired().isEmpty() && report.left() == 0);
		return report;
	}

	/** A queue that is not listed may have keys, and then that is what is wrong. */
	private void requireQueue(String queue, boolean clean) {
		if (clean && !this.inspector.queues().contains(queue)) {
			throw new QueueNotFoundException(queue);
		}
	}

}
