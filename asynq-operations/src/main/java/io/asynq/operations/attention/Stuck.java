package io.asynq.operations.attention;

import java.time.Duration;
import java.time.Instant;

import io.asynq.inspect.WorkerInfo;

public final class Stuck {

	/** Heartbeats tell what was true some seconds ago. */
	private static final Duration PATIENCE = Duration.ofSeconds(10);

	private static final Duration SHORT = Duration.ofMinutes(10);

	private Stuck() {
	}

	/**
	 * A handler hangs whose time is over, or that has run for more than ten minutes and
	 * used up nine tenths of its time.
	 */
	public static boolean is(WorkerInfo worker, Instant now) {
		if (!worker.deadline().isAfter(worker.startedAt())) {
			// It does not tell its deadline
			return false;
		}
		if (worker.deadline().plus(PATIENCE).isBefore(now)) {
			return true;
		}
		Duration ran = Duration.between(worker.startedAt(), now);
		Duration all = Duration.between(worker.startedAt(), worker.deadline());
		return ran.compareTo(SHORT) > 0 && ran.dividedBy(9).compareTo(all.dividedBy(10)) > 0;
	}

}
