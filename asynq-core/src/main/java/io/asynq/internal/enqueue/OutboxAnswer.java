package io.asynq.internal.enqueue;

import io.asynq.AsynqException;
import org.jspecify.annotations.Nullable;

public record OutboxAnswer(Kind kind, @Nullable AsynqException error) {

	public enum Kind {

		STORED,

		/** It was answered before, and nothing was done now. */
		REPEATED,

		/** Final: it is not stored, because there is a task like it. */
		DUPLICATE,

		/** It cannot be stored as Redis is now; nothing was done. */
		REFUSED

	}

}
