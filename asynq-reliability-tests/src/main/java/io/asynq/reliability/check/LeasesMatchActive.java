package io.asynq.reliability.check;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Active tasks, and only they, have a lease. Holds at every moment. */
final class LeasesMatchActive implements ContainerInvariant {

	@Override
	public String name() {
		return "leases-match-active";
	}

	@Override
	public List<Finding> check(Containers containers) {
		Set<String> active = ids(containers.in(Container.ACTIVE));
		Set<String> leased = ids(containers.leases());
		List<Finding> findings = new ArrayList<>();
		for (String id : active) {
			if (!leased.contains(id)) {
				findings.add(finding(containers, id, "is active and has no lease"));
			}
		}
		for (String id : leased) {
			if (!active.contains(id)) {
				findings.add(finding(containers, id, "has a lease and is not active"));
			}
		}
		return findings;
	}

	private static Set<String> ids(List<Containers.Entry> entries) {
		Set<String> ids = new HashSet<>();
		entries.forEach((entry) -> ids.add(entry.id()));
		return ids;
	}

}
