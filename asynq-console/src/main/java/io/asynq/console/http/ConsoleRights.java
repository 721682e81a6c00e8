package io.asynq.console.http;

import io.asynq.console.ConsoleRight;
import org.jspecify.annotations.Nullable;

/**
 * Decides who may do what. Safe for concurrent use.
 */
public interface ConsoleRights {

	/** Tells whether the sender of a request has a right, whatever the access is. */
	boolean allow(ConsoleRequest.Origin origin, ConsoleRight right, @Nullable String queue);

	/** Tells the sender of a request why it is refused, and what to do. */
	String refusal(ConsoleRequest.Origin origin);

	/** Returns whether a token lets browsers in. */
	default boolean takesTokens() {
		return false;
	}

	/**
	 * Exchanges a token for a pass, which later requests have in a cookie.
	 * @throws ConsoleException if the token is refused
	 */
	default String exchange(String token) {
		throw new UnsupportedOperationException();
	}

	/** Returns whether somebody may look at some queues and not at others. */
	boolean areByQueue();

	/** Returns whether users log in. */
	boolean areByLogin();

}
