package io.asynq.reliability.baddata;

import io.asynq.broker.BrokenTask;
import org.jspecify.annotations.Nullable;

/**
 * What must become of an id.
 */
enum Fate {

	/** In the archive, its message as it was, and counted as processed and failed. */
	ARCHIVED_AS_IT_IS(BrokenTask.Kind.UNDECODABLE),

	/** In the archive because its server is gone and it has no retries. */
	ARCHIVED_AS_LOST(null),

	/** Nowhere, because there is no task. */
	REMOVED(BrokenTask.Kind.MISSING),

	/** In no container, what is under its key as it was. */
	REMOVED_WRONG_TYPE(BrokenTask.Kind.WRONG_TYPE),

	/** Handled once, and gone. */
	HANDLED(null),

	/** Gone without a trace and without having been handled. */
	DELETED(null),

	/** Left where it was: it is in nobody's way. */
	LEFT(null),

	/** Its lease is gone, its hash as it was. */
	LEASE_DROPPED(null);

	private final BrokenTask.@Nullable Kind countedAs;

	Fate(BrokenTask.@Nullable Kind countedAs) {
		this.countedAs = countedAs;
	}

	/**
	 * Returns how it is counted.
	 * @return the kind, {@code null} if it is not broken
	 */
	BrokenTask.@Nullable Kind countedAs() {
		return this.countedAs;
	}

}
