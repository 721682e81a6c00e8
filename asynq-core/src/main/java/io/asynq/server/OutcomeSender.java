package io.asynq.server;

import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

import io.asynq.AsynqException;
import io.asynq.broker.Outcome;
import io.asynq.broker.OutcomeResult;
import io.asynq.broker.TaskCompleter;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sends outcomes once: only while their leases hold, because afterwards another server
 * may work on the task. Safe for concurrent use.
 */
final class OutcomeSender {

	private static final Logger logger = LoggerFactory.getLogger(OutcomeSender.class);

	private final TaskCompleter completer;

	private final ActiveTasks active;

	private final ServerCounters counters;

	private final Clock clock;

	OutcomeSender(TaskCompleter completer, ActiveTasks active, ServerCounters counters, Clock clock) {
		this.completer = completer;
		this.active = active;
		this.counters = counters;
		this.clock = clock;
	}

	/**
	 * Sends outcomes and lets go of all tasks whose outcome was taken or refused for
	 * good.
	 * @param batch the outcomes
	 * @return those that did not reach Redis, with the reason
	 */
	Unsent send(List<PendingOutcome> batch) {
		List<PendingOutcome> valid = dropLost(batch);
		if (valid.isEmpty()) {
			return new Unsent(List.of(), null);
		}
		List<Outcome> outcomes = new ArrayList<>(valid.size());
		for (PendingOutcome pending : valid) {
			outcomes.add(pending.outcome());
		}
		List<OutcomeResult> results = report(outcomes);
		List<PendingOutcome> unsent = new ArrayList<>();
		AsynqException reason = null;
		for (int i = 0; i < results.size(); i++) {
			OutcomeResult result = results.get(i);
			if (result.status() == OutcomeResult.Status.UNREACHABLE) {
				unsent.add(valid.get(i).sentOnce());
				reason = result.error();
			}
			else {
				settle(valid.get(i), result.status());
			}
		}
		return new Unsent(unsent, reason);
	}

	/**
	 * Gives up an outcome.
	 * @param pending the outcome
	 * @param why the reason
	 */
	void drop(PendingOutcome pending, String why) {
		this.active.release(pending.attempt());
		this.counters.outcomesDropped.increment();
		logger.warn("Dropped the outcome ({}) of {}: {}", pending.outcome().getClass().getSimpleName(),
				pending.attempt(), why);
	}

	private List<OutcomeResult> report(List<Outcome> outcomes) {
		try {
			return this.completer.report(outcomes);
		}
		catch (RuntimeException ex) {
			// Whatever it is, no outcome may be lost to it
			AsynqException error = new AsynqException("Writing outcomes failed: " + ex, ex);
			return Collections.nCopies(outcomes.size(), OutcomeResult.unreachable(error));
		}
	}

	private List<PendingOutcome> dropLost(List<PendingOutcome> batch) {
		Instant now = this.clock.instant();
		List<PendingOutcome> valid = new ArrayList<>(batch.size());
		for (PendingOutcome pending : batch) {
			if (pending.attempt().lease().isValidAt(now)) {
				valid.add(pending);
			}
			else {
				drop(pending, "its lease has ended, so the task will be recovered and run again");
			}
		}
		return valid;
	}

	private void settle(PendingOutcome pending, OutcomeResult.Status status) {
		switch (status) {
			case APPLIED -> this.active.release(pending.attempt());
			case NOT_ACTIVE -> {
				if (pending.resent()) {
					// The first attempt to write it has succeeded; only its answer was
					// lost
					this.active.release(pending.attempt());
				}
				else {
					drop(pending, "the task is not active any more; it was recovered, deleted or finished elsewhere");
				}
			}
			default -> drop(pending, "a key of its queue has the wrong type in Redis");
		}
	}

	/**
	 * What did not reach Redis.
	 *
	 * @param outcomes the outcomes
	 * @param reason why
	 */
	record Unsent(List<PendingOutcome> outcomes, @Nullable AsynqException reason) {
	}

}
