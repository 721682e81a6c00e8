package io.asynq.reliability.check;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;

import io.asynq.reliability.process.WorkerKind;
import io.asynq.test.ledger.Aggregation;
import io.asynq.test.ledger.Explains;
import io.asynq.test.ledger.FaultWindow;
import io.asynq.test.ledger.Run;
import io.asynq.test.ledger.RunOutcome;
import io.asynq.test.ledger.TaskKey;
import org.jspecify.annotations.Nullable;

/** No failure accounts for it. */
record Repetition(TaskKey task, String what, Optional<FaultWindow> explainedBy) {

	/** How long after the end of a handler its outcome may be missing in Redis. */
	private static final Duration REPORTING = Duration.ofSeconds(3);

	/** How long a worker that goes on needs to the handlers of what it has taken. */
	private static final Duration WAKING = Duration.ofSeconds(3);

	/** How long after its call the outcome of an aggregator may be missing in Redis. */
	private static final Duration STORING = Duration.ofSeconds(5);

	/** Counts those that a fault explains, by its name. */
	static Map<String, Integer> explained(Evidence evidence) {
		Map<String, Integer> counts = new TreeMap<>();
		Stream.concat(runs(evidence).stream(), aggregations(evidence).stream())
			.flatMap((repetition) -> repetition.explainedBy().stream())
			.forEach((window) -> counts.merge(window.fault(), 1, Integer::sum));
		return counts;
	}

	static List<Repetition> runs(Evidence evidence) {
		List<Repetition> repetitions = new ArrayList<>();
		evidence.ledger().runs().forEach((task, runs) -> {
			Run before = runs.get(0);
			for (Run again : runs.subList(1, runs.size())) {
				if (!isRetry(before, again)) {
					repetitions.add(new Repetition(task,
							"ran again at " + again.start() + ", and neither a failure nor a fault accounts for it",
							explanation(before, again, evidence)));
				}
				// An attempt that begins too late does not account for the next one
				before = (again.attempt() < before.attempt()) ? before : again;
			}
		});
		return repetitions;
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

	static List<Repetition> aggregations(Evidence evidence) {
		List<Repetition> repetitions = new ArrayList<>();
		evidence.digests().forEach((member, digests) -> {
			Iterator<TaskKey> all = digests.iterator();
			TaskKey before = all.next();
			while (all.hasNext()) {
				repetitions.add(new Repetition(member, "became part of " + digests,
						explanation(evidence.ledger().aggregations().made().get(before), evidence)));
				before = all.next();
			}
		});
		return repetitions;
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

}
