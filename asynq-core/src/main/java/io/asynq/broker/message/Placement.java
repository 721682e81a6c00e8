package io.asynq.broker.message;

import java.time.Instant;

/**
 * Where a new task goes first.
 */
public sealed interface Placement {

	/**
	 * At once to the back of its queue.
	 */
	record Pending() implements Placement {
	}

	/**
	 * Later.
	 *
	 * @param at when, cut to whole seconds
	 */
	record Scheduled(Instant at) implements Placement {
	}

	/**
	 * Into the group that its message names.
	 */
	record Grouped() implements Placement {
	}

}
