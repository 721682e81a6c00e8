package io.asynq.broker;

import java.time.Duration;

/**
 * Keeps the tokens of semaphores, in the form of Go's {@code x/rate}. Safe for concurrent
 * use.
 */
public interface SemaphoreStore {

	/**
	 * Takes a token, if one is left. A holder that asks again keeps its token until the
	 * new end.
	 * @param tokens how many tokens there are
	 * @return whether it was taken
	 */
	boolean acquire(String scope, int tokens, Token token);

	/**
	 * Gives a token back, unless another attempt at the task holds it by now.
	 * @param token the token as it was taken
	 * @return whether it was held
	 */
	boolean release(String scope, Token token);

	/**
	 * A token that an attempt holds.
	 *
	 * @param taskId the task that holds it
	 * @param attempt identifies the attempt
	 * @param length when it expires, rounded up to a whole second of Redis's clock
	 */
	record Token(String taskId, String attempt, Duration length) {
	}

}
