package io.asynq.internal.worker;

import io.asynq.AsynqException;
import org.jspecify.annotations.Nullable;

/** {@code instead} was applied because the task is cancelled. */
public record OutcomeResult(Status status, @Nullable AsynqException error, @Nullable Outcome instead) {

	public static final OutcomeResult APPLIED = new OutcomeResult(Status.APPLIED, null, null);

	public static final OutcomeResult NOT_ACTIVE = new OutcomeResult(Status.NOT_ACTIVE, null, null);

	public static final OutcomeResult BROKEN = new OutcomeResult(Status.BROKEN, null, null);

	public static final OutcomeResult OVERDUE = new OutcomeResult(Status.OVERDUE, null, null);

	public static OutcomeResult unreachable(AsynqException error) {
		return new OutcomeResult(Status.UNREACHABLE, error, null);
	}

	public OutcomeResult ofInstead(Outcome outcome) {
		return (this.status == Status.APPLIED) ? new OutcomeResult(this.status, null, outcome) : this;
	}

	public Outcome applied(Outcome reported) {
		return (this.instead != null) ? this.instead : reported;
	}

	public enum Status {

		APPLIED,

		/** The task was recovered, or reported before; nothing changed. */
		NOT_ACTIVE,

		/** A key has the wrong type; sending it again does not help. */
		BROKEN,

		/** The task has waited too long for a handler; nothing changed. */
		OVERDUE,

		/** To be sent again while the lease holds. */
		UNREACHABLE

	}

}
