package io.asynq.reliability.check;

import java.util.Comparator;
import java.util.List;

/** Work continued as soon as promised. */
final class ResumedInTime implements Invariant {

	@Override
	public String name() {
		return "resumed-in-time";
	}

	@Override
	public List<Finding> check(Evidence evidence) {
		Rules rules = evidence.rules();
		Resumes promised = rules.resumesWithin();
		return (promised == null) ? List.of()
				: Resumption.of(evidence.ledger())
					.stream()
					.filter((resumption) -> resumption.time()
						.minus(resumption.stoodStill(rules))
						.compareTo(promised.after(resumption.window().worker())) > 0)
					.max(Comparator.comparing(Resumption::time))
					.map((late) -> new Finding(name(), late.window().detail(),
							"%s after %s, in which the machine stood still for %s, instead of %s".formatted(late.work(),
									late.time(), late.stoodStill(rules), promised.after(late.window().worker()))))
					.stream()
					.toList();
	}

}
