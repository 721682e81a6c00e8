package io.asynq.reliability.check;

import java.util.Locale;

/**
 * Where a task can stand, in the order of {@code containers.lua}.
 */
enum Container {

	PENDING, ACTIVE, SCHEDULED, RETRY, ARCHIVED, COMPLETED;

	/**
	 * Returns the name in Redis, which is the state of its tasks too.
	 * @return the name
	 */
	String wireName() {
		return name().toLowerCase(Locale.ROOT);
	}

}
