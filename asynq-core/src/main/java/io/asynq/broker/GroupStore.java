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
 * Turns groups into tasks: finds due groups, stages one, reads it, and finishes it or
 * gives it back. Also records who aggregates it, so that a group that takes servers down
 * is known. Safe for concurrent use, also beside Go servers: a staged set belongs to one
 * server. All methods throw {@link io.asynq.BrokerException} if Redis cannot be reached
 * or fails.
 */
public interface GroupStore {

	/**
	 * Finds due groups, looking at a few hundred per call.
	 * @param limits when a group is due
	 * @param from where to continue, {@code null} to begin
	 * @return what was found
	 */
	DueGroups due(String queue, GroupLimits limits, @Nullable String from);

	/**
	 * Takes the oldest tasks out of a group, if it is due.
	 * @param limits when it is due, and how many tasks to take at most
	 * @return the set, {@code null} if the group is not due
	 */
	@Nullable StagedGroup stage(String queue, String group, GroupLimits limits);

	/**
	 * Reads a set. Tasks that cannot be decoded are archived, ids without a task are
	 * removed, and the listener for broken tasks is called.
	 * @return its tasks, in the order in which they joined the group to the second
	 */
	List<TaskMessage> read(StagedGroup staged);

	/**
	 * Stores the task that a set was turned into and deletes the set's tasks with their
	 * unique locks, atomically. If there are many, some are deleted later, but none goes
	 * back to the group.
	 * @param members all its tasks
	 * @param task what to store; must not be grouped
	 * @return what became of it
	 */
	AggregationStatus finish(StagedGroup staged, List<TaskMessage> members, EnqueueRequest task);

	/**
	 * Gives a set back to its group before it expires. Does nothing if it was finished or
	 * has expired.
	 */
	void giveBack(StagedGroup staged);

	/**
	 * Archives tasks of a set that can never be aggregated.
	 * @param error what to keep with them as their error
	 */
	void archive(StagedGroup staged, List<TaskMessage> members, String error);

	/**
	 * Records that an aggregator is about to be called.
	 * @param staged what it gets
	 * @return the crashes of earlier aggregators of this group
	 */
	CrashRecord begin(StagedGroup staged);

	/**
	 * Records that an aggregator has ended.
	 * @param staged what it got
	 * @param how how it ended
	 */
	void end(StagedGroup staged, End how);

	/**
	 * How an aggregator may end.
	 */
	enum End {

		/** It has returned, or thrown something. */
		BY_ITSELF,

		/** It was given up. */
		CUT_SHORT,

		/** It has stopped its own server. */
		CRASHED

	}

	/**
	 * What was found in some of a queue's groups.
	 *
	 * @param groups the due groups; one may appear in two answers
	 * @param untilNext time until the next of the others is due, as far as known, a day
	 * at most, {@code null} if there is none
	 * @param next where to continue, {@code null} when all groups were looked at
	 */
	record DueGroups(List<String> groups, @Nullable Duration untilNext, @Nullable String next) {
	}

	/**
	 * What became of the task that a group was turned into.
	 */
	enum AggregationStatus {

		/** Stored, and the tasks of the group are gone. */
		ENQUEUED,

		/** Not stored: the set expired, and its tasks went back to the group. */
		EXPIRED,

		/** Not stored: there is a task with its id. */
		ID_CONFLICT,

		/** Not stored: another task holds its unique lock. */
		DUPLICATE

	}

}
