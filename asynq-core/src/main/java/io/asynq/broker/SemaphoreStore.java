package io.asynq.broker;

import java.time.Duration;

/**
 * Keeps the tokens of semaphores, in the form of Go's {@code x/rate} (asynq R01–R05).
 * Safe for concurrent use.
 */
public interface SemaphoreStore {

	/**
	 * Takes a token, if there is one left. Whoever holds one already keeps it, until the
	 * new end.
	 * @param scope the semaphore's name
	 * @param tokens how many tokens there are
	 * @param token the token
	 * @return whether it was taken
	 * @throws io.asynq.BrokerException if Redis cannot be reached or fails
	 */
	boolean acquire(String scope, int tokens, Token token);

	/**
	 * Gives a token back, unless another attempt at the task holds it by now.
	 * @param scope the semaphore's name
	 * @param token the token as it was taken
	 * @return whether it was held
	 * @throws io.asynq.BrokerException if Redis cannot be reached or fails
	 */
	boolean release(String scope, Token token);

	/**
	 * A token in the hands of an attempt.
	 *
	 * @param taskId the task that holds it
	 * @param attempt tells the attempt from others at the task
	 * @param length after what time it is given back by itself, rounded up to a whole
	 * second of Redis's clock
	 */
	record Token(String taskId, String attempt, Duration length) {
	}

}
