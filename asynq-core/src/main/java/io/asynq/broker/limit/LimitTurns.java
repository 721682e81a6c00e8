package io.asynq.broker.limit;

import java.time.Duration;
import java.util.List;

import org.jspecify.annotations.Nullable;

/**
 * Whose turn it is to go on, and after which time somebody must look again, {@code null}
 * if nobody must.
 */
public record LimitTurns(List<Turn> turns, @Nullable Duration again) {

	/**
	 * Tokens are kept for a turn for one second; {@code number} changes when another task
	 * begins to wait.
	 */
	public record Turn(LimitClass limits, int tasks, String number) {
	}

	/**
	 * {@code rests} means that the queue takes no tasks at present.
	 */
	public record Taken(Turn turn, int woken, boolean rests, long left) {

		public boolean isUnused() {
			return this.woken < this.turn.tasks() || this.left == 0;
		}

	}

	/**
	 * Without any, it is another server's turn to look.
	 */
	public record Part(long all, boolean end, List<Turn> turns) {
	}

}
