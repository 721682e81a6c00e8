package io.asynq.reliability.check;

import java.util.ArrayList;
import java.util.List;

/** The state of a task names the container of its id. Holds at every moment. */
final class StateIsContainer implements ContainerInvariant {

	@Override
	public String name() {
		return "state-is-container";
	}

	@Override
	public List<Finding> check(Containers containers) {
		List<Finding> findings = new ArrayList<>();
		for (Container container : Container.values()) {
			for (Containers.Entry entry : containers.in(container)) {
				if (!entry.state().equals(container.wireName())) {
					findings.add(finding(containers, entry.id(), "stands in " + container + ", but its hash "
							+ (entry.state().isEmpty() ? "is missing" : "says " + entry.state())));
				}
			}
		}
		return findings;
	}

}
