package io.asynq.broker;

import java.util.List;

import org.jspecify.annotations.Nullable;

/**
 * Has groups turned into tasks (asynq L01–L09): look for those that are due, stage one,
 * read it, finish it or give it back. Safe for concurrent use, also with Go servers on
 * the same groups: a staged set belongs to one of them. All methods throw
 * {@link io.asynq.BrokerException} if Redis cannot be reached or fails.
 */
public interface GroupStore {

	/**
	 * Looks for groups that are due, some hundred in one call.
	 * @param queue the queue
	 * @param limits when a group is due
	 * @param from where to go on, {@code null} to begin
	 * @return what was found
	 */
	DueGroups due(String queue, GroupLimits limits, @Nullable String from);

	/**
	 * Takes the oldest tasks out of a group, if it is due.
	 * @param queue the queue
	 * @param group the group
	 * @param limits when it is due, and how many tasks to take at most
	 * @return the set, {@code null} if the group is not due
	 */
	@Nullable StagedGroup stage(String queue, String group, GroupLimits limits);

	/**
	 * Reads a set. What nobody can read is archived or, if there is no task under an id,
	 * removed, and the listener for broken tasks is told.
	 * @param staged the set
	 * @return its tasks, in the order in which they joined the group to the second
	 */
	List<TaskMessage> read(StagedGroup staged);

	/**
	 * Stores the task that a set was turned into and deletes the set's tasks with their
	 * unique locks: all or nothing, whatever happens meanwhile. If the tasks are many,
	 * some may be deleted later, but they never go back.
	 * @param staged the set
	 * @param members all its tasks
	 * @param task what to store; must not be grouped
	 * @return what became of it
	 */
	AggregationStatus finish(StagedGroup staged, List<TaskMessage> members, EnqueueRequest task);

	/**
	 * Gives a set back to its group before it expires. Does nothing if it was finished or
	 * has expired.
	 * @param staged the set
	 */
	void giveBack(StagedGroup staged);

	/**
	 * Archives tasks of a set that will never be aggregated.
	 * @param staged the set
	 * @param members the tasks
	 * @param error what to keep with them as their error
	 */
	void archive(StagedGroup staged, List<TaskMessage> members, String error);

	/**
	 * Deletes what is left of sets that were finished by somebody who ended before the
	 * last of their tasks was deleted.
	 * @param queue the queue
	 * @return how many tasks that were
	 */
	int deleteLeftOver(String queue);

}
