package io.asynq.broker.message;

import io.asynq.AsynqException;
import org.jspecify.annotations.Nullable;

/**
 * What became of one {@link Outcome}.
 *
 * @param status see {@link Status}
 * @param error the reason when the status is {@link Status#UNREACHABLE}
 * @param instead the outcome that was applied in its place because the task is cancelled,
 * {@code null} if it was applied itself
 */
public record OutcomeResult(Status status, @Nullable AsynqException error, @Nullable Outcome instead) {

	public static final OutcomeResult APPLIED = new OutcomeResult(Status.APPLIED, null, null);

	public static final OutcomeResult NOT_ACTIVE = new OutcomeResult(Status.NOT_ACTIVE, null, null);

	public static final OutcomeResult BROKEN = new OutcomeResult(Status.BROKEN, null, null);

	public static final OutcomeResult OVERDUE = new OutcomeResult(Status.OVERDUE, null, null);

	public static OutcomeResult unreachable(AsynqException error) {
		return new OutcomeResult(Status.UNREACHABLE, error, null);
	}

	/**
	 * Returns the result of an outcome in whose place another was to be applied.
	 * @param outcome the other one, whose result this is
	 */
	public OutcomeResult ofInstead(Outcome outcome) {
		return (this.status == Status.APPLIED) ? new OutcomeResult(this.status, null, outcome) : this;
	}

	/**
	 * Returns the outcome that was applied.
	 * @param reported the one that was reported
	 */
	public Outcome applied(Outcome reported) {
		return (this.instead != null) ? this.instead : reported;
	}

	/**
	 * Kinds of results.
	 */
	public enum Status {

		/** The task has moved and is counted. */
		APPLIED,

		/**
		 * The task is no longer active: recovered, or reported before. Nothing changed.
		 */
		NOT_ACTIVE,

		/** A key has the wrong type. Nothing changed; sending it again does not help. */
		BROKEN,

		/** The task has waited for a handler for too long. Nothing changed. */
		OVERDUE,

		/** Redis could not be reached or failed. Send it again while the lease holds. */
		UNREACHABLE

	}

}
