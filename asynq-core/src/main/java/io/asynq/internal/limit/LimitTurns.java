package io.asynq.internal.limit;

import java.time.Duration;
import java.util.List;

import io.asynq.internal.worker.LimitClass;
import org.jspecify.annotations.Nullable;

/** Whose turn it is, and after which time somebody must look {@code again}. */
public record LimitTurns(List<Turn> turns, @Nullable Duration again) {

	/**
	 * Its tokens are kept for a second; a new {@code number} shows that another task
	 * waits.
	 */
	public record Turn(LimitClass limits, int tasks, String number) {
	}

	/** The queue takes no tasks at present if it {@code rests}. */
	public record Taken(Turn turn, int woken, boolean rests, long left) {

		public boolean isUnused() {
			return this.woken < this.turn.tasks() || this.left == 0;
		}

	}

	/** {@code all} is zero if it is another server's turn to look. */
	public record Part(long all, boolean end, List<Turn> turns) {
	}

}
