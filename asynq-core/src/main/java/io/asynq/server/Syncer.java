package io.asynq.server;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.function.BooleanSupplier;

import io.asynq.lifecycle.LoopErrorLog;
import io.asynq.lifecycle.PeriodicComponent;
import io.asynq.lifecycle.ServerPhase;

/**
 * Sends outcomes again that did not reach Redis, every second until their leases end
 * (asynq K05).
 */
final class Syncer extends PeriodicComponent {

	private static final Duration RESEND_INTERVAL = Duration.ofSeconds(1);

	private static final Duration IDLE = Duration.ofHours(1);

	private static final int BATCH = 256;

	private final OutcomeSender sender;

	private final LoopErrorLog errors;

	private final Deque<PendingOutcome> unsent = new ArrayDeque<>();

	Syncer(OutcomeSender sender, BooleanSupplier autoStartup, LoopErrorLog errors) {
		super(ServerPhase.SYNCER, autoStartup, errors);
		this.sender = sender;
		this.errors = errors;
	}

	/**
	 * Takes outcomes over.
	 * @param left what did not reach Redis
	 */
	void takeOver(OutcomeSender.Unsent left) {
		if (left.outcomes().isEmpty()) {
			return;
		}
		if (left.reason() != null) {
			this.errors.warn(left.outcomes().size() + " outcomes could not be written, they are kept", left.reason());
		}
		synchronized (this.unsent) {
			this.unsent.addAll(left.outcomes());
		}
		wake();
	}

	@Override
	protected Duration runOnce() {
		List<PendingOutcome> round = take();
		for (int from = 0; from < round.size(); from += BATCH) {
			OutcomeSender.Unsent left = this.sender.send(round.subList(from, Math.min(from + BATCH, round.size())));
			if (!left.outcomes().isEmpty()) {
				putBack(left.outcomes(), round.subList(Math.min(from + BATCH, round.size()), round.size()));
				return RESEND_INTERVAL;
			}
		}
		return IDLE;
	}

	@Override
	protected void stopped() {
		runOnce();
		for (PendingOutcome pending : take()) {
			this.sender.drop(pending, "Redis was not reached before the server stopped; "
					+ "the task will be recovered when its lease has ended");
		}
	}

	private List<PendingOutcome> take() {
		synchronized (this.unsent) {
			List<PendingOutcome> all = new ArrayList<>(this.unsent);
			this.unsent.clear();
			return all;
		}
	}

	private void putBack(List<PendingOutcome> failed, List<PendingOutcome> notTried) {
		synchronized (this.unsent) {
			this.unsent.addAll(failed);
			this.unsent.addAll(notTried);
		}
	}

}
