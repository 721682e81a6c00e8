package io.asynq.console.http;

import java.util.function.BiPredicate;

import io.asynq.console.ConsoleRight;
import org.jspecify.annotations.Nullable;

/**
 * Who calls, and what they may do by their rights and the console's settings.
 */
public record ConsoleCaller(String name, BiPredicate<ConsoleRight, @Nullable String> rights) {

	/** Whoever is subscribed: payloads are left out, since the same goes to everybody. */
	public static final ConsoleCaller ANYBODY = new ConsoleCaller("", (right, queue) -> right == ConsoleRight.LOOK);

	public boolean may(ConsoleRight right, @Nullable String queue) {
		return this.rights.test(right, queue);
	}

	/** A queue that may not be seen is left out. */
	public boolean sees(String queue) {
		return may(ConsoleRight.LOOK, queue);
	}

	/** Results and the values of headers go the same way. */
	public boolean showsPayloads(String queue) {
		return may(ConsoleRight.SEE_PAYLOADS, queue);
	}

}
