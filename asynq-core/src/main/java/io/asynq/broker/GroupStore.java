package io.asynq.broker;

import java.time.Duration;
import java.util.List;

import io.asynq.broker.message.CrashRecord;
import io.asynq.broker.message.EnqueueRequest;
import io.asynq.broker.message.GroupLimits;
import io.asynq.broker.message.StagedGroup;
import io.asynq.broker.message.TaskMessage;
import org.jspecify.annotations.Nullable;

/**
 * Turns groups into tasks, and records who aggregates a group so that one that takes
 * servers down is known; safe also beside Go servers, since a staged set belongs to one
 * server.
 */
public interface GroupStore {

	/** Looks at a few hundred groups per call. */
	DueGroups due(String queue, GroupLimits limits, @Nullable String from);

	@Nullable StagedGroup stage(String queue, String group, GroupLimits limits);

	/**
	 * Tasks that cannot be decoded are archived, ids without a task are removed, and the
	 * rest comes in the order of joining to the second.
	 */
	List<TaskMessage> read(StagedGroup staged);

	/**
	 * Stores the task and deletes the set's tasks with their unique locks atomically; if
	 * there are many, some are deleted later, but none goes back to the group.
	 */
	AggregationStatus finish(StagedGroup staged, List<TaskMessage> members, EnqueueRequest task);

	/** Does nothing if the set was finished or has expired. */
	void giveBack(StagedGroup staged);

	void archive(StagedGroup staged, List<TaskMessage> members, String error);

	CrashRecord begin(StagedGroup staged);

	/**
	 * To be called before the aggregator; returns the crashes of earlier ones of this
	 * group.
	 */
	void end(StagedGroup staged, End how);

	enum End {

		BY_ITSELF,

		/** It was given up. */
		CUT_SHORT,

		/** It has stopped its own server. */
		CRASHED

	}

	/**
	 * A group may appear in two answers; {@code untilNext} is a day at most, {@code null}
	 * if no other group is due, and {@code next} is {@code null} when all groups were
	 * looked at.
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
