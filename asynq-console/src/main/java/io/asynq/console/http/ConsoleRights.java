package io.asynq.console.http;

import java.util.function.UnaryOperator;

import io.asynq.console.ConsoleRight;
import org.jspecify.annotations.Nullable;

public interface ConsoleRights {

	boolean allow(ConsoleRequest.Origin origin, ConsoleRight right, @Nullable String queue);

	String refusal(ConsoleRequest.Origin origin);

	/** Exchanges a token for a pass, which later requests have in a cookie. */
	default @Nullable UnaryOperator<String> tokenExchange() {
		return null;
	}

	/** Returns whether somebody may look at some queues and not at others. */
	default boolean areByQueue() {
		return false;
	}

	default boolean areByLogin() {
		return true;
	}

}
