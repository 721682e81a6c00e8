package io.asynq.server;

import io.asynq.broker.AggregatorKeeper;
import io.asynq.broker.StagedGroup;
import io.asynq.handler.GroupAggregator;
import org.jspecify.annotations.Nullable;

/**
 * A staged set in the hands of its aggregator. It may be given up while the aggregator
 * runs: that is interrupted, but never what its thread does afterwards, and what it
 * returns counts no more. Safe for concurrent use.
 */
final class AggregatorCall {

	private final StagedGroup staged;

	private final GroupAggregator aggregator;

	private @Nullable Thread thread;

	private boolean returned;

	private boolean givenUp;

	private boolean culprit;

	AggregatorCall(StagedGroup staged, GroupAggregator aggregator) {
		this.staged = staged;
		this.aggregator = aggregator;
	}

	StagedGroup staged() {
		return this.staged;
	}

	GroupAggregator aggregator() {
		return this.aggregator;
	}

	GroupName group() {
		return new GroupName(this.staged.queue(), this.staged.group());
	}

	/**
	 * Says that the present thread is about to call the aggregator.
	 * @return {@code false} if it was given up before
	 */
	synchronized boolean begin() {
		if (this.givenUp) {
			return false;
		}
		this.returned = false;
		this.thread = Thread.currentThread();
		return true;
	}

	/**
	 * Says that the aggregator has returned, in its thread. Whatever interrupt it was
	 * sent, or left, ends here: Redis is yet to be reached.
	 * @return {@code false} if it was given up before
	 */
	synchronized boolean end() {
		this.thread = null;
		this.returned = true;
		Thread.interrupted();
		return !this.givenUp;
	}

	/**
	 * Says that its tasks are set aside, so that its crashes need not be remembered.
	 */
	synchronized void settle() {
		this.returned = true;
	}

	/**
	 * Gives it up, and interrupts the aggregator. One that has returned by itself goes on
	 * to its end, but is not called again.
	 * @return whether whoever calls this is to give the set back
	 */
	synchronized boolean giveUp() {
		boolean first = !this.givenUp && !this.returned;
		this.givenUp = true;
		if (first && this.thread != null) {
			this.thread.interrupt();
		}
		return first;
	}

	/**
	 * Gives it up because it waits for a stop that it has caused itself. It is not
	 * interrupted: the stop may go on in its thread.
	 * @return whether whoever calls this is to give the set back
	 */
	synchronized boolean giveUpCulprit() {
		if (this.givenUp || this.thread == null) {
			return false;
		}
		this.givenUp = true;
		this.culprit = true;
		return true;
	}

	/**
	 * Returns how it has ended, as far as is known.
	 * @return how
	 */
	synchronized AggregatorKeeper.End how() {
		if (this.culprit) {
			return AggregatorKeeper.End.CRASHED;
		}
		// One that has never begun, because Redis could not be asked, proves nothing
		return (this.returned && !this.givenUp) ? AggregatorKeeper.End.BY_ITSELF : AggregatorKeeper.End.CUT_SHORT;
	}

	synchronized boolean isGivenUp() {
		return this.givenUp;
	}

	/**
	 * Returns the thread in which the aggregator runs at this moment.
	 * @return the thread, {@code null} before and after
	 */
	synchronized @Nullable Thread thread() {
		return this.thread;
	}

}
