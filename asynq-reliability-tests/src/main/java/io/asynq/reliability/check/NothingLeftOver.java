package io.asynq.reliability.check;

import java.util.ArrayList;
import java.util.List;

import io.asynq.reliability.process.WorkerKind;
import io.asynq.test.ledger.Aggregation;
import io.asynq.test.ledger.TaskKey;

/**
 * What belongs to running tasks, servers and schedulers is gone with them: leases, locks
 * of finished tasks, entries, histories, groups and staged sets.
 */
final class NothingLeftOver implements Invariant {

	@Override
	public String name() {
		return "nothing-left-over";
	}

	@Override
	public List<Finding> check(Evidence evidence) {
		List<Finding> findings = new ArrayList<>();
		evidence.servers().forEach((key) -> findings.add(new Finding(name(), key, "no server and no scheduler runs")));
		evidence.queues().values().forEach((queue) -> {
			queue.containers()
				.leases()
				.forEach((lease) -> findings
					.add(new Finding(name(), queue.queue() + "/" + lease.id(), "a lease, though nothing runs")));
			queue.locks().forEach((key, holder) -> {
				if (!queue.tasks().containsKey(holder)
						&& !isGoAggregated(new TaskKey(queue.queue(), holder), evidence)) {
					findings.add(new Finding(name(), key, "a lock of task " + holder + ", which is gone"));
				}
			});
			queue.others().forEach((key) -> findings.add(new Finding(name(), key, "a key that nothing needs now")));
		});
		return findings;
	}

	private static boolean isGoAggregated(TaskKey task, Evidence evidence) {
		return evidence.digests().of(task).stream().anyMatch((digest) -> {
			Aggregation aggregation = evidence.ledger().aggregations().made().get(digest);
			return aggregation != null && WorkerKind.GO.isOf(aggregation.worker());
		});
	}

}
