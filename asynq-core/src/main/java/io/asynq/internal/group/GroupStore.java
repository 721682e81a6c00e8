package io.asynq.internal.group;

import java.time.Duration;
import java.util.List;

import io.asynq.group.GroupLimits;
import io.asynq.internal.enqueue.EnqueueRequest;
import io.asynq.internal.redis.TaskMessage;
import io.asynq.internal.worker.CrashRecord;
import org.jspecify.annotations.Nullable;

/**
 * Turns groups into tasks, and records who aggregates so that a group that takes servers
 * down is known; a staged set belongs to one server, even beside Go's.
 */
public interface GroupStore {

	/** Looks at a few hundred groups per call. */
	DueGroups due(String queue, GroupLimits limits, @Nullable String from);

	@Nullable StagedGroup stage(String queue, String group, GroupLimits limits);

	/** Archives what cannot be decoded; in the order of joining, to the second. */
	List<TaskMessage> read(StagedGroup staged);

	/**
	 * Stores the task and deletes the set's atomically; some of very many go later, but
	 * none goes back to the group.
	 */
	AggregationStatus finish(StagedGroup staged, List<TaskMessage> members, EnqueueRequest task);

	/** Does nothing if the set was finished or has expired. */
	void giveBack(StagedGroup staged);

	void archive(StagedGroup staged, List<TaskMessage> members, String error);

	/** To be called before the aggregator; returns the crashes of earlier ones. */
	CrashRecord begin(StagedGroup staged);

	void end(StagedGroup staged, End how);

	enum End {

		BY_ITSELF,

		/** It was given up. */
		CUT_SHORT,

		/** It has stopped its own server. */
		CRASHED

	}

	/**
	 * A group may appear twice; {@code untilNext} is a day at most, {@code next} is
	 * {@code null} at the end.
	 */
	record DueGroups(List<String> groups, @Nullable Duration untilNext, @Nullable String next) {
	}

	enum AggregationStatus {

		ENQUEUED,

		/** The set expired, and its tasks went back to the group. */
		EXPIRED,

		ID_CONFLICT,

		DUPLICATE

	}

}
