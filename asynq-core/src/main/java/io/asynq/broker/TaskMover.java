package io.asynq.broker;

import java.util.List;

import io.asynq.TaskState;

/**
 * Moves and changes tasks by hand (asynq O09–O15). Counts nothing. Each script call moves
 * a bounded number of tasks. Safe for concurrent use.
 */
public interface TaskMover {

	/**
	 * Moves tasks, each by itself.
	 * @param queue the queue
	 * @param move where to
	 * @param ids which ones
	 * @return one result per id
	 * @throws io.asynq.BrokerException if Redis cannot be reached or fails; the first of
	 * the tasks may have moved
	 */
	List<TaskMoveResult> move(String queue, TaskMove move, List<String> ids);

	/**
	 * Moves all tasks of one state: about as many as there are at the beginning.
	 * @param queue the queue
	 * @param move where to
	 * @param from where from; neither active nor aggregating
	 * @return how many have moved
	 * @throws io.asynq.BrokerException if Redis cannot be reached or fails; some of the
	 * tasks may have moved
	 */
	long moveAll(String queue, TaskMove move, TaskState from);

	/**
	 * Moves all tasks that wait in a group: about as many as there are at the beginning.
	 * @param queue the queue
	 * @param move where to
	 * @param group the group
	 * @return how many have moved
	 * @throws io.asynq.BrokerException if Redis cannot be reached or fails; some of the
	 * tasks may have moved
	 */
	long moveGroup(String queue, TaskMove move, String group);

	/**
	 * Replaces the payload of a scheduled task; what else is in its message stays.
	 * @param queue the queue
	 * @param id the task
	 * @param payload the new payload
	 * @return what became of it
	 * @throws io.asynq.BrokerException if Redis cannot be reached or fails
	 */
	TaskMoveResult updatePayload(String queue, String id, byte[] payload);

}
