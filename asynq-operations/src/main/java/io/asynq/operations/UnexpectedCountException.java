package io.asynq.operations;

import io.asynq.AsynqException;
import org.jspecify.annotations.Nullable;

/**
 * The caller may have looked at another queue, or too long ago.
 */
public final class UnexpectedCountException extends AsynqException {

	private UnexpectedCountException(long count, long expected) {
		super("There are " + count + " tasks, which is more than a tenth above the expected " + expected
				+ ": look again, and say 'expectedCount' anew");
	}

	/** A tenth more is tolerated. */
	public static void throwIfMore(long count, @Nullable Long expected) {
		if (expected == null || expected < 0) {
			throw new AsynqException("Parameter 'expectedCount' is missing: say how many tasks you expect to change");
		}
		if (count - expected > expected / 10) {
			throw new UnexpectedCountException(count, expected);
		}
	}

}
