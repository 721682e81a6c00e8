package io.asynq.reliability.check;

import java.util.Locale;

/**
 * Where a task can be, in the order of {@code containers.lua}. All groups of a queue
 * count as one container, and so do all staged sets.
 */
enum Container {

	PENDING, ACTIVE, SCHEDULED, RETRY, ARCHIVED, COMPLETED, GROUP, STAGED;

	boolean isKey() {
		return this != GROUP && this != STAGED;
	}

	/** Returns the state of its tasks, which is the name of its key if it is one. */
	String wireName() {
		return isKey() ? name().toLowerCase(Locale.ROOT) : "aggregating";
	}

}
