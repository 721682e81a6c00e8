package io.asynq.broker.limit;

import java.time.Duration;
import java.util.List;

import org.jspecify.annotations.Nullable;

/**
 * Whose turn it is to go on.
 *
 * @param turns classes of waiting tasks that are to be woken
 * @param again after which time somebody must look again, {@code null} if nobody must
 */
public record LimitTurns(List<Turn> turns, @Nullable Duration again) {

	/**
	 * Tasks of a class, for which tokens are kept for a second.
	 *
	 * @param tasks how many; none if the class is only looked at
	 * @param number tells whether tasks have begun to wait since
	 */
	public record Turn(LimitClass limits, int tasks, String number) {
	}

	/**
	 * What became of a turn.
	 *
	 * @param woken how many tasks are pending now
	 * @param rests whether the queue takes no tasks
	 * @param left how many tasks still wait
	 */
	public record Taken(Turn turn, int woken, boolean rests, long left) {

		/** Returns whether tokens or a place are to be given back. */
		public boolean isUnused() {
			return this.woken < this.turn.tasks() || this.left == 0;
		}

	}

	/**
	 * A part of the classes of waiting tasks.
	 *
	 * @param all how many there are, none if it is another server's turn to look at them
	 * @param end whether it is the last part
	 */
	public record Part(long all, boolean end, List<Turn> turns) {
	}

}
