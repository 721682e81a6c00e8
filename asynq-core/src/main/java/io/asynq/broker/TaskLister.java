package io.asynq.broker;

import java.util.List;

import io.asynq.TaskInfo;
import io.asynq.TaskState;

/**
 * Lists tasks, a part at a time, in Go's order. What cannot be decoded or is gone is left
 * out. Safe for concurrent use.
 */
public interface TaskLister {

	/**
	 * Lists tasks of one state: those that run, expire or have been running first come
	 * first.
	 * @param queue the queue
	 * @param state any but {@link TaskState#AGGREGATING}
	 * @param offset how many to pass over
	 * @param limit how many at most
	 * @return the tasks, empty beyond the last
	 * @throws io.asynq.BrokerException if Redis cannot be reached or fails
	 */
	List<TaskInfo> list(String queue, TaskState state, long offset, int limit);

	/**
	 * Lists tasks that wait in a group, those added first come first.
	 * @param queue the queue
	 * @param group the group
	 * @param offset how many to pass over
	 * @param limit how many at most
	 * @return the tasks, empty beyond the last
	 * @throws io.asynq.BrokerException if Redis cannot be reached or fails
	 */
	List<TaskInfo> listGroup(String queue, String group, long offset, int limit);

}
