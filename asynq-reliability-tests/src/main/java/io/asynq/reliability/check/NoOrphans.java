package io.asynq.reliability.check;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

import io.asynq.test.ledger.TaskKey;

/** Every task hash is in a container. */
final class NoOrphans implements Invariant {

	@Override
	public String name() {
		return "no-orphans";
	}

	@Override
	public List<Finding> check(Evidence evidence) {
		List<Finding> findings = new ArrayList<>();
		evidence.queues().values().forEach((queue) -> {
			Set<String> standing = new HashSet<>();
			for (Container container : Container.values()) {
				queue.containers().in(container).forEach((entry) -> standing.add(entry.id()));
			}
			queue.tasks()
				.keySet()
				.stream()
				.filter((id) -> !standing.contains(id))
				.forEach((id) -> findings
					.add(evidence.finding(this, new TaskKey(queue.queue(), id), "has a hash, but stands nowhere")));
		});
		return findings;
	}

}
