package io.asynq.broker;

import java.util.List;
import java.util.Optional;

import io.asynq.AsynqException;
import io.asynq.broker.message.EnqueueRequest;

/**
 * Stores new tasks. Safe for concurrent use.
 */
public interface TaskEnqueuer {

	/**
	 * Stores one task.
	 * @throws io.asynq.DuplicateTaskException if another task holds its unique lock
	 * @throws io.asynq.TaskIdConflictException if its queue has a task of this id
	 * @throws io.asynq.BrokerUnavailableException if Redis cannot be reached: the task
	 * may or may not be stored
	 * @throws io.asynq.BrokerException if Redis fails, or a key of the queue has the
	 * wrong type
	 */
	void enqueue(EnqueueRequest request);

	/**
	 * Stores one task like {@link #enqueue}, but maybe in one call with those of other
	 * threads that come at the same time.
	 */
	default void enqueueShared(EnqueueRequest request) {
		enqueue(request);
	}

	/**
	 * Stores many tasks in few round trips, each by itself: one that is refused does not
	 * affect the others.
	 * @param requests the tasks, of any queues
	 * @return for each request, in the same order, what {@link #enqueue} would have
	 * thrown; empty if the task is stored
	 */
	List<Optional<AsynqException>> enqueueAll(List<EnqueueRequest> requests);

}
