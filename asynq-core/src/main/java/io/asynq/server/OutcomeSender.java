package io.asynq.server;

import java.util.ArrayList;
import java.util.List;

import io.asynq.AsynqException;
import io.asynq.broker.Outcome;
import io.asynq.broker.OutcomeResult;
import io.asynq.broker.TaskCompleter;
import io.asynq.logging.OneLineLogger;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;

/**
 * Sends outcomes once: only while their leases hold, because afterwards another server
 * may work on the task. Safe for concurrent use.
 */
final class OutcomeSender {

	private static final Logger logger = OneLineLogger.of(OutcomeSender.class);

	private final TaskCompleter completer;

	private final ActiveTasks active;

	private final ServerCounters counters;

	OutcomeSender(TaskCompleter completer, ActiveTasks active, ServerCounters counters) {
		this.completer = completer;
		this.active = active;
		this.counters = counters;
	}

	/**
	 * Sends outcomes and lets go of all tasks whose outcome was taken or refused for
	 * good.
	 * @param batch the outcomes
	 * @return those that did not reach Redis, with the reason
	 */
	Unsent send(List<PendingOutcome> batch) {
		List<PendingOutcome> valid = dropLost(batch);
		try {
			return sendTogether(valid);
		}
		catch (Throwable ex) {
			// Whatever it is, none may be lost to it, nor to what another one asks for
			return sendOneByOne(valid, ex);
		}
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

	private Unsent sendTogether(List<PendingOutcome> batch) {
		if (batch.isEmpty()) {
			return new Unsent(List.of(), null);
		}
		List<Outcome> outcomes = new ArrayList<>(batch.size());
		for (PendingOutcome pending : batch) {
			outcomes.add(pending.outcome());
		}
		List<OutcomeResult> results = this.completer.report(outcomes);
		List<PendingOutcome> unsent = new ArrayList<>();
		AsynqException reason = null;
		for (int i = 0; i < results.size(); i++) {
			OutcomeResult result = results.get(i);
			if (result.status() == OutcomeResult.Status.UNREACHABLE) {
				unsent.add(batch.get(i).sentOnce());
				reason = result.error();
			}
			else {
				settle(batch.get(i), result.status());
			}
		}
		return new Unsent(unsent, reason);
	}

	/**
	 * Sends what failed together. An outcome that needs more memory than there is, such
	 * as one with a huge result, is given up when it fails alone for the second time.
	 */
	private Unsent sendOneByOne(List<PendingOutcome> batch, Throwable failure) {
		List<PendingOutcome> unsent = new ArrayList<>();
		AsynqException reason = new AsynqException("Writing outcomes failed: " + failure, failure);
		for (PendingOutcome pending : batch) {
			PendingOutcome again = pending.sentOnce();
			try {
				unsent.addAll(sendTogether(List.of(again)).outcomes());
			}
			catch (Throwable ex) {
				if (ex instanceof Error && pending.resent()) {
					drop(pending, "it cannot be written (" + ex + "), so the task will be recovered and run again");
				}
				else {
					unsent.add(again);
				}
			}
		}
		return new Unsent(unsent, reason);
	}

	private List<PendingOutcome> dropLost(List<PendingOutcome> batch) {
		long now = System.nanoTime();
		List<PendingOutcome> valid = new ArrayList<>(batch.size());
		for (PendingOutcome pending : batch) {
			if (pending.attempt().lease().isValidAt(now)) {
				valid.add(pending);
			}
			else {
				drop(pending, "its lease has ended: " + pending.attempt().lease().fate());
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
					drop(pending,
							"the task is not active any more: it was recovered, deleted or finished elsewhere, or Redis"
									+ " has forgotten it");
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
