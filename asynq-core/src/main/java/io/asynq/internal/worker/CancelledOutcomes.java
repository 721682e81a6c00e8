package io.asynq.internal.worker;

import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Function;

import io.asynq.event.ArchiveReason;

/** A cancelled task must neither wait nor be kept if it is to be deleted. */
final class CancelledOutcomes {

	/** What scripts answer for a cancelled task that is to be archived. */
	private static final int ARCHIVE = 4;

	/** What scripts answer for a cancelled task that is to be deleted. */
	private static final int DELETE = 5;

	private final SortedMap<Integer, Outcome> instead = new TreeMap<>();

	boolean take(int index, Outcome outcome, int code) {
		if (code == ARCHIVE) {
			String error = (outcome instanceof Outcome.Retry retry) ? retry.error() : "cancelled";
			this.instead.put(index, new Outcome.Archive(outcome.task(), error, ArchiveReason.CANCELLED));
		}
		else if (code == DELETE) {
			this.instead.put(index, new Outcome.Done(outcome.task()));
		}
		return code == ARCHIVE || code == DELETE;
	}

	void write(Function<List<Outcome>, List<OutcomeResult>> report, OutcomeResult[] results) {
		if (this.instead.isEmpty()) {
			return;
		}
		List<Outcome> outcomes = List.copyOf(this.instead.values());
		List<OutcomeResult> written = report.apply(outcomes);
		int i = 0;
		for (int index : this.instead.keySet()) {
			results[index] = written.get(i).ofInstead(outcomes.get(i));
			i++;
		}
	}

}
