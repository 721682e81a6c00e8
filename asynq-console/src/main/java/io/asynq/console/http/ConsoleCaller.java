package io.asynq.console.http;

import io.asynq.console.ConsoleRight;
import org.jspecify.annotations.Nullable;

/**
 * Who calls, and what they may do, with {@code asynq.console.access} and
 * {@code asynq.console.show-payloads} taken into account.
 */
public interface ConsoleCaller {

	String name();

	boolean may(ConsoleRight right, @Nullable String queue);

}
