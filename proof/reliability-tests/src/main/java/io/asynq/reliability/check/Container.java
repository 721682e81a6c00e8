package io.asynq.reliability.check;

import java.util.Locale;

/**
 * In the order of {@code containers.lua}; all groups count as one, all staged sets too.
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
