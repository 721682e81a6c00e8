package io.asynq.reliability.check;

import java.time.Duration;
import java.util.List;

/**
 * Work went on as soon as promised.
 */
final class ResumedInTime implements Invariant {

	@Override
	public String name() {
		return "resumed-in-time";
	}

	@Override
	public List<Finding> check(Evidence evidence) {
		Duration promised = evidence.rules().resumesWithin();
		Duration longest = Resumption.longest(evidence.ledger());
		return (promised == null || longest.compareTo(promised) <= 0) ? List.of()
				: List.of(new Finding(name(), "the longest time", longest + " instead of " + promised));
	}

}
