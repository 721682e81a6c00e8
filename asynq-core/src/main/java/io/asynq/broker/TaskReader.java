package io.asynq.broker;

import java.util.Optional;

import io.asynq.TaskInfo;

/**
 * Reads single tasks. Safe for concurrent use.
 */
public interface TaskReader {

	/**
	 * Reads a task.
	 * @param queue its queue
	 * @param id its id
	 * @return the task, empty if there is none
	 * @throws io.asynq.BrokerException if Redis cannot be reached, fails, or the task
	 * cannot be decoded
	 */
	Optional<TaskInfo> find(String queue, String id);

}
