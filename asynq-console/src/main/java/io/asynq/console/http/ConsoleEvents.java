package io.asynq.console.http;

import java.util.function.Consumer;

import org.jspecify.annotations.Nullable;

/**
 * Where streams get what they send: one reader for all, only while there are any.
 */
public interface ConsoleEvents {

	Subscription subscribe(@Nullable String queue, Consumer<Event> subscriber);

	record Event(String name, String key, Object data) {

	}

	interface Subscription extends AutoCloseable {

		@Override
		void close();

	}

}
