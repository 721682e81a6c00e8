package io.asynq.broker.outbox;

import io.asynq.AsynqException;
import org.jspecify.annotations.Nullable;

/**
 * What became of a task that was sent from an outbox.
 *
 * @param error why it was not stored, {@code null} if it was, now or before
 */
public record OutboxAnswer(Kind kind, @Nullable AsynqException error) {

	/**
	 * What may become of a task.
	 */
	public enum Kind {

		/** It is stored. */
		STORED,

		/** It was answered before, and nothing was done now. */
		REPEATED,

		/** It is not stored, because there is a task like it. This is final. */
		DUPLICATE,

		/** It cannot be stored as Redis is now. Nothing was done. */
		REFUSED

	}

}
