package io.asynq.internal.limit;

import java.time.Duration;

/** Tokens of semaphores, in the form of Go's {@code x/rate}. */
public interface SemaphoreStore {

	/** A holder that asks again keeps its token until the new end. */
	boolean acquire(String scope, int tokens, Token token);

	/** Does nothing if another attempt at the task holds the token by now. */
	boolean release(String scope, Token token);

	/** The length is rounded up to a whole second of Redis's clock. */
	record Token(String taskId, String attempt, Duration length) {
	}

}
