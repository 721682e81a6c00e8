package io.asynq.reliability.check;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

import io.asynq.reliability.load.Rhythm;
import io.asynq.test.ledger.Fired;
import io.asynq.test.ledger.SchedulerLife;

/**
 * A periodic task fires while there is a scheduler. A scheduler that ends within two
 * seconds after a fire need not have enqueued it.
 */
final class NoFireMissing implements Invariant {

	private static final Duration GRACE = Duration.ofSeconds(2);

	/** How long before its end a scheduler that stood still may be behind. */
	private static final Duration BEHIND = Duration.ofSeconds(30);

	@Override
	public String name() {
		return "no-fire-missing";
	}

	@Override
	public List<Finding> check(Evidence evidence) {
		List<Finding> findings = new ArrayList<>();
		for (Rhythm rhythm : Rhythm.ALL) {
			Set<Instant> fired = evidence.ledger()
				.fires()
				.fired()
				.stream()
				.filter((candidate) -> candidate.entry().equals(rhythm.entry()))
				.map(Fired::fire)
				.collect(Collectors.toSet());
			for (SchedulerLife life : evidence.ledger().fires().schedulers()) {
				for (Instant fire : due(rhythm, life, evidence)) {
					if (fired.add(fire)) {
						findings.add(new Finding(name(), rhythm.entry() + " of " + fire, "no task, though " + life));
					}
				}
			}
		}
		return findings;
	}

	private static List<Instant> due(Rhythm rhythm, SchedulerLife life, Evidence evidence) {
		Instant end = life.to().isBefore(evidence.rules().judgedAt()) ? life.to() : evidence.rules().judgedAt();
		Duration grace = GRACE.plus(evidence.rules().stoodStill(end.minus(BEHIND), end));
		return rhythm.fires(life.from().plus(life.ahead()), end.plus(life.ahead()))
			.stream()
			.filter((fire) -> life.covers(fire, grace))
			.toList();
	}

}
