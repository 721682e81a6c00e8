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

	/**
	 * Exchanges a token that came in a URL for a pass, which later requests have in a
	 * cookie.
	 * @return the pass, {@code null} if there are no tokens
	 * @throws ConsoleException if the token is refused
	 */
	default @Nullable String exchange(String token) {
		return null;
	}

	/** Returns whether somebody may look at some queues and not at others. */
	boolean areByQueue();

	/** Returns whether users log in. */
	boolean areByLogin();

}
