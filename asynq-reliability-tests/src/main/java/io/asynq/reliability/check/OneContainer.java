package io.asynq.reliability.check;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** An id is in one container, once. Holds at every moment. */
final class OneContainer implements ContainerInvariant {

	@Override
	public String name() {
		return "one-container";
	}

	@Override
	public List<Finding> check(Containers containers) {
		Map<String, List<Container>> places = new HashMap<>();
		for (Container container : Container.values()) {
			for (Containers.Entry entry : containers.in(container)) {
				places.computeIfAbsent(entry.id(), (id) -> new ArrayList<>(1)).add(container);
			}
		}
		List<Finding> findings = new ArrayList<>();
		places.forEach((id, in) -> {
			if (in.size() > 1) {
				findings.add(finding(containers, id, "stands in " + in));
			}
		});
		return findings;
	}

}
