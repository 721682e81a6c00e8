package io.asynq.reliability.check;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

import io.asynq.reliability.ledger.FaultWindow;
import io.asynq.reliability.ledger.Ledger;
import io.asynq.reliability.ledger.Run;

/**
 * How long it took until work went on. For harm to one worker: from its begin until each
 * task that was running there runs again. For harm to all: from its end until any task
 * runs.
 */
final class Resumption {

	private Resumption() {
	}

	static Duration longest(Ledger ledger) {
		List<Instant> starts = ledger.runs().values().stream().flatMap(List::stream).map(Run::start).sorted().toList();
		Duration longest = Duration.ZERO;
		for (FaultWindow window : ledger.windows()) {
			for (Duration time : FaultWindow.ALL.equals(window.worker()) ? afterAll(window, starts)
					: afterOne(window, ledger)) {
				longest = (time.compareTo(longest) > 0) ? time : longest;
			}
		}
		return longest;
	}

	private static List<Duration> afterAll(FaultWindow window, List<Instant> starts) {
		int index = Collections.binarySearch(starts, window.end());
		int next = (index >= 0) ? index : -index - 1;
		return (next < starts.size()) ? List.of(Duration.between(window.end(), starts.get(next))) : List.of();
	}

	private static List<Duration> afterOne(FaultWindow window, Ledger ledger) {
		List<Duration> times = new ArrayList<>();
		for (Run interrupted : ledger.runningOn(window.worker(), window.start())) {
			ledger.runsOf(interrupted.task())
				.stream()
				.filter((run) -> run.start().isAfter(window.start()))
				.findFirst()
				.ifPresent((run) -> times.add(Duration.between(window.start(), run.start())));
		}
		return times;
	}

}
