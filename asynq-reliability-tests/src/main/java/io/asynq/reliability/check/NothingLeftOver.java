package io.asynq.reliability.check;

import java.util.ArrayList;
import java.util.List;

/**
 * What belongs to running tasks and servers has gone with them: leases, locks of tasks
 * that are done, entries of servers and workers, groups and aggregation sets.
 */
final class NothingLeftOver implements Invariant {

	@Override
	public String name() {
		return "nothing-left-over";
	}

	@Override
	public List<Finding> check(Evidence evidence) {
		List<Finding> findings = new ArrayList<>();
		evidence.servers().forEach((key) -> findings.add(new Finding(name(), key, "no server runs")));
		evidence.queues().values().forEach((queue) -> {
			queue.containers()
				.leases()
				.forEach((lease) -> findings
					.add(new Finding(name(), queue.queue() + "/" + lease.id(), "a lease, though nothing runs")));
			queue.locks().forEach((key, holder) -> {
				if (!queue.tasks().containsKey(holder)) {
					findings.add(new Finding(name(), key, "a lock of task " + holder + ", which is gone"));
				}
			});
			queue.others().forEach((key) -> findings.add(new Finding(name(), key, "a key that nothing needs now")));
		});
		return findings;
	}

}
