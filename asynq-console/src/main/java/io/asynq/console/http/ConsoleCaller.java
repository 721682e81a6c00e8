package io.asynq.console.http;

import io.asynq.console.ConsoleRight;
import org.jspecify.annotations.Nullable;

/**
 * Who calls, and what they may do, with {@code asynq.console.access} and
 * {@code asynq.console.show-payloads} taken into account.
 */
public interface ConsoleCaller {

	/** Returns the user's name, {@code anonymous} if nobody is logged in. */
	String name();

	/**
	 * Tells whether the caller has a right.
	 * @param queue the queue it is about, {@code null} for the console as a whole
	 */
	boolean may(ConsoleRight right, @Nullable String queue);

}
