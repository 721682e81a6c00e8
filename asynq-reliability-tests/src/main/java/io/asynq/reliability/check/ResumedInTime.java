package io.asynq.reliability.check;

import java.time.Duration;
import java.util.Comparator;
import java.util.List;

/**
 * Work continued as soon as promised.
 */
final class ResumedInTime implements Invariant {

	@Override
	public String name() {
		return "resumed-in-time";
	}

	@Override
	public List<Finding> check(Evidence evidence) {
		Resumes promised = evidence.rules().resumesWithin();
		return (promised == null) ? List.of() : Resumption.of(evidence.ledger())
			.stream()
			.filter((resumption) -> resumption.time().compareTo(promised.after(resumption.window().worker())) > 0)
			.max(Comparator.comparing(Resumption::time))
			.map((late) -> new Finding(name(), late.window().detail(),
					late.work() + " after " + late.time() + " instead of " + promised.after(late.window().worker())))
			.stream()
			.toList();
	}

}
