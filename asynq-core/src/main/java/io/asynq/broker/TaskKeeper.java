package io.asynq.broker;

import java.util.List;
import java.util.Optional;

import io.asynq.CancelMode;
import io.asynq.TaskInfo;
import io.asynq.TaskState;
import io.asynq.broker.message.TaskMove;

/**
 * Reads, moves and changes tasks on request. Counts nothing. Each script call looks at a
 * bounded number of tasks. Lists are in Go's order and leave out tasks that cannot be
 * decoded or are gone. Safe for concurrent use.
 */
public interface TaskKeeper {

	/**
	 * Reads a task.
	 * @return the task, empty if there is none
	 * @throws io.asynq.BrokerException if Redis cannot be reached, fails, or the task
	 * cannot be decoded
	 */
	Optional<TaskInfo> find(String queue, String id);

	/**
	 * Lists tasks of one state, ordered by when they run, expire or began to run.
	 * @param state any but {@link TaskState#AGGREGATING}
	 * @param offset how many to pass over
	 * @param limit how many at most
	 * @return the tasks, empty beyond the last
	 */
	List<TaskInfo> list(String queue, TaskState state, long offset, int limit);

	/**
	 * Lists tasks that wait in a group, oldest first.
	 * @param offset how many to pass over
	 * @param limit how many at most
	 * @return the tasks, empty beyond the last
	 */
	List<TaskInfo> listGroup(String queue, String group, long offset, int limit);

	/**
	 * Moves tasks, each by itself.
	 * @param move where to
	 * @return one result per id
	 * @throws io.asynq.BrokerException if Redis cannot be reached or fails; the first of
	 * the tasks may have moved
	 */
	List<TaskMove.Result> move(String queue, TaskMove move, List<String> ids);

	/**
	 * Moves all tasks of one state: about as many as there are when it begins.
	 * @param move where to
	 * @param from where from; neither active nor aggregating
	 * @return how many have moved
	 * @throws io.asynq.BrokerException if Redis cannot be reached or fails; some of the
	 * tasks may have moved
	 */
	long moveAll(String queue, TaskMove move, TaskState from);

	/**
	 * Moves all tasks that wait in a group: about as many as there are when it begins.
	 * @param move where to
	 * @return how many have moved
	 * @throws io.asynq.BrokerException if Redis cannot be reached or fails; some of the
	 * tasks may have moved
	 */
	long moveGroup(String queue, TaskMove move, String group);

	/**
	 * Cancels a task. One that waits is archived or deleted. If a Java server has an
	 * active one, the wish is recorded, instead of an earlier one, and servers are told;
	 * that it is to be retried they are told in any case.
	 * @param mode what becomes of it; one that waits cannot be retried
	 * @param lasting whether to record the wish whoever has the task, and to tell nobody
	 * @return done or recorded, and the state that it had
	 */
	TaskMove.Result cancel(String queue, String id, CancelMode mode, boolean lasting);

	/**
	 * Replaces the payload of a scheduled task and keeps the rest of its message.
	 * @return what became of it
	 */
	TaskMove.Result updatePayload(String queue, String id, byte[] payload);

}
