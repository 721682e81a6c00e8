package io.asynq.reliability.check;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

import io.asynq.reliability.process.WorkerKind;
import io.asynq.test.ledger.Aggregation;
import io.asynq.test.ledger.Explains;
import io.asynq.test.ledger.FaultWindow;
import io.asynq.test.ledger.TaskKey;
import org.jspecify.annotations.Nullable;

/** A grouped task becomes part of one other task, and is then deleted. */
final class AggregatedOnce implements Invariant {

	/** How long after its call the outcome of an aggregator may be missing in Redis. */
	private static final Duration STORING = Duration.ofSeconds(5);

	@Override
	public String name() {
		return "aggregated-once";
	}

	@Override
	public List<Finding> check(Evidence evidence) {
		List<Finding> findings = new ArrayList<>();
		doubled(evidence).stream()
			.filter((doubled) -> doubled.explainedBy().isEmpty())
			.forEach((doubled) -> findings.add(evidence.finding(this, doubled.member(),
					"became part of " + evidence.digests().of(doubled.member()))));
		evidence.digests()
			.byMember()
			.keySet()
			.stream()
			.filter((member) -> evidence.stored(member) != null)
			.forEach((member) -> findings.add(
					evidence.finding(this, member, "is still there, though part of " + evidence.digests().of(member))));
		return findings;
	}

	Map<String, Integer> explained(Evidence evidence) {
		Map<String, Integer> counts = new TreeMap<>();
		doubled(evidence).forEach((doubled) -> doubled.explainedBy()
			.ifPresent((window) -> counts.merge(window.fault(), 1, Integer::sum)));
		return counts;
	}

	private static List<Doubled> doubled(Evidence evidence) {
		List<Doubled> doubled = new ArrayList<>();
		evidence.digests().byMember().forEach((member, digests) -> {
			Iterator<TaskKey> all = digests.iterator();
			TaskKey before = all.next();
			while (all.hasNext()) {
				doubled.add(new Doubled(member,
						explanation(evidence.ledger().aggregations().made().get(before), evidence)));
				before = all.next();
			}
		});
		return doubled;
	}

	private static Optional<FaultWindow> explanation(@Nullable Aggregation before, Evidence evidence) {
		if (before == null) {
			return Optional.empty();
		}
		Duration forgotten = evidence.rules().redisMayLose();
		if (!WorkerKind.GO.isOf(before.worker()) && forgotten.isZero()) {
			return Optional.empty();
		}
		Instant safe = before.time().plus(STORING).plus(forgotten);
		return evidence.windowsOf(before.worker())
			.filter((window) -> window.explains() == Explains.ANY && !window.start().isAfter(safe)
					&& !window.end().isBefore(before.time()))
			.findFirst();
	}

	/** A second aggregation of a task. */
	private record Doubled(TaskKey member, Optional<FaultWindow> explainedBy) {

	}

}
