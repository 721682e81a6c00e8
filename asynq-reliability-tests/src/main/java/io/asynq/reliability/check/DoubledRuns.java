package io.asynq.reliability.check;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

import io.asynq.test.ledger.Explains;
import io.asynq.test.ledger.FaultWindow;
import io.asynq.test.ledger.Run;
import io.asynq.test.ledger.RunOutcome;
import io.asynq.test.ledger.TaskKey;

/** Runs beyond the first that no failure of the previous run accounts for. */
final class DoubledRuns implements Invariant {

	/** How long after the end of a handler its outcome may be missing in Redis. */
	private static final Duration REPORTING = Duration.ofSeconds(3);

	/** How long a worker that goes on needs to the handlers of what it has taken. */
	private static final Duration WAKING = Duration.ofSeconds(3);

	@Override
	public String name() {
		return "doubled-runs-explained";
	}

	@Override
	public List<Finding> check(Evidence evidence) {
		return doubled(evidence).stream()
			.filter((doubled) -> doubled.explainedBy().isEmpty())
			.map((doubled) -> evidence.finding(this, doubled.task(),
					"ran again at " + doubled.again().start() + ", and neither a failure nor a fault accounts for it"))
			.toList();
	}

	Map<String, Integer> explained(Evidence evidence) {
		Map<String, Integer> counts = new TreeMap<>();
		doubled(evidence).forEach((doubled) -> doubled.explainedBy()
			.ifPresent((window) -> counts.merge(window.fault(), 1, Integer::sum)));
		return counts;
	}

	private static List<Doubled> doubled(Evidence evidence) {
		List<Doubled> doubled = new ArrayList<>();
		evidence.ledger().runs().forEach((task, runs) -> {
			Run before = runs.get(0);
			for (Run again : runs.subList(1, runs.size())) {
				if (!isRetry(before, again)) {
					doubled.add(new Doubled(task, again, explanation(before, again, evidence)));
				}
				// An attempt that begins too late does not account for the next one
				before = (again.attempt() < before.attempt()) ? before : again;
			}
		});
		return doubled;
	}

	private static boolean isRetry(Run before, Run again) {
		return before.ended(RunOutcome.FAILED) && before.end() != null && !before.end().isAfter(again.start())
				&& before.attempt() < again.attempt();
	}

	private static Optional<FaultWindow> explanation(Run before, Run again, Evidence evidence) {
		if (again.attempt() < before.attempt()) {
			return evidence.windowsOf(again.worker()).filter((window) -> heldUp(window, again)).findFirst();
		}
		return evidence.windowsOf(before.worker())
			.filter((window) -> explains(window, before, again) && !again.start().isAfter(latest(window, evidence)))
			.findFirst();
	}

	/**
	 * Returns whether a worker stood still between its last look at the lease and the
	 * handler, so that an attempt began that others had made good meanwhile.
	 */
	private static boolean heldUp(FaultWindow window, Run run) {
		return window.explains() == Explains.ANY && !run.start().isBefore(window.start())
				&& !run.start().isAfter(window.end().plus(WAKING));
	}

	private static boolean explains(FaultWindow window, Run before, Run again) {
		Instant safe = (before.end() != null) ? before.end().plus(REPORTING) : Instant.MAX;
		boolean touched = !before.start().isAfter(window.end()) && !safe.isBefore(window.start());
		return touched && !again.start().isBefore(window.start()) && switch (window.explains()) {
			case NOTHING -> false;
			case REQUEUED -> isUnfinished(before) && before.attempt() == again.attempt();
			case UNFINISHED -> isUnfinished(before);
			case ANY -> true;
		};
	}

	/**
	 * Returns until when a fault explains further runs: for the duration of recovery,
	 * which starts again when all workers are harmed again before it is over.
	 */
	private static Instant latest(FaultWindow window, Evidence evidence) {
		Instant latest = window.end().plus(evidence.rules().recovery());
		for (FaultWindow next : evidence.ledger().windows()) {
			if (FaultWindow.ALL.equals(next.worker()) && !next.start().isAfter(latest)
					&& next.end().isAfter(window.end())) {
				Instant recovered = next.end().plus(evidence.rules().recovery());
				latest = recovered.isAfter(latest) ? recovered : latest;
			}
		}
		return latest;
	}

	private static boolean isUnfinished(Run run) {
		return run.outcome() == null || run.ended(RunOutcome.CANCELLED);
	}

	/** A repeated run. */
	private record Doubled(TaskKey task, Run again, Optional<FaultWindow> explainedBy) {

	}

}
