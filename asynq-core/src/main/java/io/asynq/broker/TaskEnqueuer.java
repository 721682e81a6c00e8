package io.asynq.broker;

import java.util.List;

/**
 * Stores new tasks. Safe for concurrent use.
 */
public interface TaskEnqueuer {

	/**
	 * Stores one task.
	 * @param request the task
	 * @return what became of it
	 * @throws io.asynq.BrokerException if Redis cannot be reached or fails
	 */
	EnqueueStatus enqueue(EnqueueRequest request);

	/**
	 * Stores many tasks in few round trips, each by itself: a bad one neither stops nor
	 * repeats the others.
	 * @param requests the tasks, of any queues
	 * @return one result per request, in the same order
	 */
	List<EnqueueResult> enqueueAll(List<EnqueueRequest> requests);

}
