package io.asynq.reliability.check;

import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import io.asynq.reliability.ledger.FaultWindow;
import io.asynq.reliability.ledger.Ledger;
import io.asynq.reliability.process.WorkerKind;

/**
 * Work went on as soon as promised: later only where every Java worker that had begun to
 * watch the lost leases was harmed before it could take them.
 */
final class ResumedInTime implements Invariant {

	@Override
	public String name() {
		return "resumed-in-time";
	}

	@Override
	public List<Finding> check(Evidence evidence) {
		Promise promise = evidence.rules().promise();
		if (promise == null) {
			return List.of();
		}
		Ledger ledger = evidence.ledger();
		Map<String, Instant> firstSigns = firstSigns(ledger);
		return Resumption.of(ledger)
			.stream()
			.filter((resumption) -> resumption.time().compareTo(limit(resumption, promise, firstSigns, ledger)) > 0)
			.max(Comparator.comparing(Resumption::time))
			.map((late) -> finding(late, limit(late, promise, firstSigns, ledger)))
			.stream()
			.toList();
	}

	private Finding finding(Resumption late, Duration limit) {
		return new Finding(name(), late.window().detail(), late.time() + " instead of " + limit);
	}

	private static Duration limit(Resumption resumption, Promise promise, Map<String, Instant> firstSigns,
			Ledger ledger) {
		return isWatched(resumption, promise, firstSigns, ledger) ? promise.resumes()
				: promise.resumes().plus(promise.settling());
	}

	/**
	 * Returns whether a Java worker was there from when leases had to be watched until
	 * work went on.
	 */
	private static boolean isWatched(Resumption resumption, Promise promise, Map<String, Instant> firstSigns,
			Ledger ledger) {
		FaultWindow window = resumption.window();
		if (FaultWindow.ALL.equals(window.worker())) {
			return true;
		}
		Instant begin = window.start().plus(promise.lease()).minus(promise.settling());
		return firstSigns.keySet()
			.stream()
			.filter((worker) -> WorkerKind.JAVA.isOf(worker) && !firstSigns.get(worker).isAfter(begin))
			.anyMatch((worker) -> !isHarmed(worker, resumption.over(), ledger));
	}

	private static boolean isHarmed(String worker, Instant before, Ledger ledger) {
		return ledger.windows()
			.stream()
			.anyMatch((window) -> window.touches(worker) && window.start().isBefore(before));
	}

	/**
	 * Returns when each worker has shown first that it is there, by what it took or ran.
	 */
	private static Map<String, Instant> firstSigns(Ledger ledger) {
		Map<String, Instant> signs = new HashMap<>();
		ledger.taken().values().forEach((all) -> all.forEach((taken) -> note(signs, taken.worker(), taken.time())));
		ledger.runs().values().forEach((all) -> all.forEach((run) -> note(signs, run.worker(), run.start())));
		return signs;
	}

	private static void note(Map<String, Instant> signs, String worker, Instant time) {
		signs.merge(worker, time, (one, other) -> one.isBefore(other) ? one : other);
	}

}
