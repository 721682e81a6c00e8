package io.asynq.reliability.baddata;

import io.asynq.broker.message.BrokenTask;
import org.jspecify.annotations.Nullable;

/** The expected fate of an id. */
enum Fate {

	/** Archived with its message unchanged, and counted as processed and failed. */
	ARCHIVED_AS_IT_IS(BrokenTask.Kind.UNDECODABLE),

	/** Archived because its server is gone and it has no retries. */
	ARCHIVED_AS_LOST(null),

	/** Removed, because there is no task. */
	REMOVED(BrokenTask.Kind.MISSING),

	/** In no container, with its key unchanged. */
	REMOVED_WRONG_TYPE(BrokenTask.Kind.WRONG_TYPE),

	/** Handled once, and deleted. */
	HANDLED(null),

	/** Deleted without being handled. */
	DELETED(null),

	/** Left in place, because it blocks nothing. */
	LEFT(null),

	/** Its lease is gone, its hash unchanged. */
	LEASE_DROPPED(null);

	private final BrokenTask.@Nullable Kind countedAs;

	Fate(BrokenTask.@Nullable Kind countedAs) {
		this.countedAs = countedAs;
	}

	BrokenTask.@Nullable Kind countedAs() {
		return this.countedAs;
	}

}
