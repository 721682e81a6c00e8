package io.asynq.reliability.check;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.Stream;

import io.asynq.test.ledger.FaultWindow;
import io.asynq.test.ledger.Ledger;
import io.asynq.test.ledger.Run;
import io.asynq.test.ledger.Taken;

/**
 * For harm to one worker: from its beginning until each task that the worker held runs
 * again, or another worker took it that was harmed before it began it. For harm to all:
 * from its end until any task runs.
 */
record Resumption(FaultWindow window, String work, Duration time) {

	static List<Resumption> of(Ledger ledger) {
		List<Instant> starts = ledger.runs().values().stream().flatMap(List::stream).map(Run::start).sorted().toList();
		List<Resumption> all = new ArrayList<>();
		for (FaultWindow window : ledger.windows()) {
			all.addAll(FaultWindow.ALL.equals(window.worker()) ? afterAll(window, starts) : afterOne(window, ledger));
		}
		return all;
	}

	static Duration longest(Ledger ledger) {
		return of(ledger).stream().map(Resumption::time).max(Duration::compareTo).orElse(Duration.ZERO);
	}

	Duration stoodStill(Rules rules) {
		Instant from = FaultWindow.ALL.equals(this.window.worker()) ? this.window.end() : this.window.start();
		return rules.stoodStill(from, from.plus(this.time));
	}

	private static List<Resumption> afterAll(FaultWindow window, List<Instant> starts) {
		int index = Collections.binarySearch(starts, window.end());
		int next = (index >= 0) ? index : -index - 1;
		return (next < starts.size())
				? List.of(new Resumption(window, "all work", Duration.between(window.end(), starts.get(next))))
				: List.of();
	}

	private static List<Resumption> afterOne(FaultWindow window, Ledger ledger) {
		return ledger.heldBy(window.worker(), window.start())
			.stream()
			.flatMap((task) -> Stream
				.concat(ledger.runsOf(task).stream().map(Run::start),
						ledger.neverBegun(task).filter((taken) -> isHarmedLater(taken, ledger)).map(Taken::time))
				.filter((time) -> time.isAfter(window.start()))
				.min(Instant::compareTo)
				.map((next) -> new Resumption(window, task.toString(), Duration.between(window.start(), next)))
				.stream())
			.toList();
	}

	private static boolean isHarmedLater(Taken taken, Ledger ledger) {
		return ledger.windows()
			.stream()
			.anyMatch((window) -> window.touches(taken.worker()) && !window.start().isBefore(taken.time()));
	}

}
