package io.asynq.reliability.fault;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

import io.asynq.reliability.load.Work;
import io.asynq.test.ledger.FaultWindow;
import io.asynq.test.ledger.Ledger;
import io.asynq.test.ledger.Run;

/** Whether the limit of limited tasks was kept, whatever was done to workers. */
final class LimitKept {

	private LimitKept() {
	}

	/**
	 * For each run that was one too many; ids of limited tasks begin with
	 * {@code limited}.
	 */
	static List<String> findings(Ledger ledger) {
		List<Run> limited = ledger.runs()
			.values()
			.stream()
			.flatMap(List::stream)
			.filter((run) -> run.task().id().startsWith("limited"))
			.toList();
		List<String> findings = new ArrayList<>();
		for (Run run : limited) {
			List<Run> atOnce = limited.stream()
				.filter((other) -> !other.start().isAfter(run.start()) && end(other, ledger).isAfter(run.start()))
				.toList();
			if (atOnce.size() > Work.LIMIT) {
				findings.add("More than " + Work.LIMIT + " at once: " + atOnce);
			}
		}
		return findings;
	}

	private static Instant end(Run run, Ledger ledger) {
		return (run.end() != null) ? run.end()
				: ledger.windows()
					.stream()
					.filter((window) -> window.worker().equals(run.worker()) && !window.start().isBefore(run.start()))
					.map(FaultWindow::start)
					.min(Instant::compareTo)
					.orElse(Instant.MAX);
	}

}
