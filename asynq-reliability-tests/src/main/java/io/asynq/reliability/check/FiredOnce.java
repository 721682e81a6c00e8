package io.asynq.reliability.check;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

import io.asynq.reliability.load.Rhythm;
import io.asynq.test.ledger.Fired;

/**
 * Each fire of a periodic task is enqueued once and only at its times, whatever happens
 * to schedulers and however their clocks differ.
 */
final class FiredOnce implements Invariant {

	@Override
	public String name() {
		return "fired-once";
	}

	@Override
	public List<Finding> check(Evidence evidence) {
		List<Finding> findings = new ArrayList<>();
		for (Rhythm rhythm : Rhythm.ALL) {
			Map<String, Set<String>> tasks = new HashMap<>();
			for (Fired fired : evidence.ledger().fires().fired()) {
				if (fired.entry().equals(rhythm.entry())) {
					tasks.computeIfAbsent(String.valueOf(fired.fire()), (fire) -> new TreeSet<>())
						.add(fired.task().toString());
					if (!rhythm.firesAt(fired.fire())) {
						findings.add(evidence.finding(this, fired.task(),
								"is for " + fired.fire() + ", when " + rhythm + " does not fire"));
					}
				}
			}
			tasks.forEach((fire, ids) -> {
				if (ids.size() > 1) {
					findings.add(new Finding(name(), rhythm.entry() + " of " + fire, "was enqueued as " + ids));
				}
			});
		}
		return findings;
	}

}
