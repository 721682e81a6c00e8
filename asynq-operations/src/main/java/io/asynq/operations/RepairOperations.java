package io.asynq.operations;

import java.util.Set;

import io.asynq.AsynqException;
import io.asynq.Broker;
import io.asynq.QueueNotFoundException;
import io.asynq.inspect.AsynqInspector;
import io.asynq.operations.repair.Diagnosis;
import io.asynq.operations.repair.Inconsistency;
import io.asynq.operations.repair.QueueRepair;
import io.asynq.operations.repair.RepairReport;
import org.jspecify.annotations.Nullable;

public final class RepairOperations {

	/** So many tasks and keys take far below a second. */
	static final int LIMIT = 20_000;

	static final int LARGEST_LIMIT = 1_000_000;

	private final AsynqInspector inspector;

	private final QueueRepair repair;

	public RepairOperations(AsynqInspector inspector, Broker broker) {
		this.inspector = inspector;
		this.repair = new QueueRepair(broker);
	}

	public Diagnosis diagnose(String queue, @Nullable String cursor, @Nullable Integer limit) {
		Diagnosis diagnosis = this.repair.diagnose(queue, cursor, requireLimit(limit));
		requireQueue(queue, diagnosis.isClean() && diagnosis.next() == null);
		return diagnosis;
	}

	public RepairReport repair(String queue, Set<Inconsistency.Kind> kinds, boolean dryRun, @Nullable String cursor,
			@Nullable Integer limit) {
		RepairReport report = this.repair.repair(queue, kinds, dryRun, cursor, requireLimit(limit));
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
