package io.asynq.broker.message;

import io.asynq.AsynqException;
import org.jspecify.annotations.Nullable;

/**
 * What became of one {@link Outcome}.
 *
 * @param status see {@link Status}
 * @param error the reason when the status is {@link Status#UNREACHABLE}
 */
public record OutcomeResult(Status status, @Nullable AsynqException error) {

	public static final OutcomeResult APPLIED = new OutcomeResult(Status.APPLIED, null);

	public static final OutcomeResult NOT_ACTIVE = new OutcomeResult(Status.NOT_ACTIVE, null);

	public static final OutcomeResult BROKEN = new OutcomeResult(Status.BROKEN, null);

	public static OutcomeResult unreachable(AsynqException error) {
		return new OutcomeResult(Status.UNREACHABLE, error);
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

		/** Redis could not be reached or failed. Send it again while the lease holds. */
		UNREACHABLE

	}

}
