package io.asynq.console.http;

import java.util.function.Consumer;

import org.jspecify.annotations.Nullable;

/**
 * Where streams get what they send. One reader serves all of them, and only while there
 * are any.
 */
public interface ConsoleEvents {

	/**
	 * Subscribes.
	 * @param queue a queue to be told about as well, {@code null} for none
	 * @param subscriber is told each event, the newest state of things first. Does not
	 * block
	 * @return ends the subscription; may be called twice
	 */
	Subscription subscribe(@Nullable String queue, Consumer<Event> subscriber);

	/**
	 * An event.
	 *
	 * @param name {@code overview}, {@code queue} or {@code job}
	 * @param key what events of this name replace each other by, such as a job's id
	 * @param data becomes JSON; the same object goes to all subscribers
	 */
	record Event(String name, String key, Object data) {

	}

	/**
	 * A subscription.
	 */
	interface Subscription extends AutoCloseable {

		@Override
		void close();

	}

}
