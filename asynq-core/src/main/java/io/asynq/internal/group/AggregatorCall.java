package io.asynq.internal.group;

import io.asynq.handler.TaskAggregatorFunction;
import io.asynq.internal.worker.UserThread;
import org.jspecify.annotations.Nullable;

/**
 * Giving a call up interrupts the aggregator, but never what its thread does afterwards,
 * and its result is ignored.
 */
final class AggregatorCall {

	private final StagedGroup staged;

	private final TaskAggregatorFunction aggregator;

	private final UserThread running = new UserThread();

	private boolean returned;

	private boolean givenUp;

	private boolean culprit;

	AggregatorCall(StagedGroup staged, TaskAggregatorFunction aggregator) {
		this.staged = staged;
		this.aggregator = aggregator;
	}

	StagedGroup staged() {
		return this.staged;
	}

	TaskAggregatorFunction aggregator() {
		return this.aggregator;
	}

	GroupName group() {
		return this.staged.name();
	}

	synchronized boolean begin() {
		if (this.givenUp) {
			return false;
		}
		this.returned = false;
		this.running.enter();
		return true;
	}

	/**
	 * Clears an interrupt meant for the aggregator or left by it: Redis is called next.
	 */
	synchronized boolean end() {
		this.running.leave();
		this.returned = true;
		return !this.givenUp;
	}

	/** The tasks are archived, so that crashes need not be remembered. */
	synchronized void settle() {
		this.returned = true;
	}

	/** Returns whether the caller must give the set back. */
	synchronized boolean giveUp() {
		boolean first = !this.givenUp && !this.returned;
		this.givenUp = true;
		if (first) {
			this.running.interrupt();
		}
		return first;
	}

	/** The aggregator is not interrupted, because the stop may run in its thread. */
	synchronized boolean giveUpCulprit() {
		if (this.givenUp || this.running.get() == null) {
			return false;
		}
		this.givenUp = true;
		this.culprit = true;
		return true;
	}

	synchronized GroupStore.End how() {
		if (this.culprit) {
			return GroupStore.End.CRASHED;
		}
		// A call that has never begun, because Redis could not be reached, proves nothing
		return (this.returned && !this.givenUp) ? GroupStore.End.BY_ITSELF : GroupStore.End.CUT_SHORT;
	}

	synchronized boolean isGivenUp() {
		return this.givenUp;
	}

	boolean isOverdue() {
		return this.staged.endNanos() - System.nanoTime() <= 0;
	}

	synchronized @Nullable Thread thread() {
		return this.running.get();
	}

}
