package io.asynq.broker;

import java.util.List;
import java.util.Optional;

import io.asynq.AsynqException;
import io.asynq.broker.message.EnqueueRequest;

public interface TaskEnqueuer {

	/**
	 * When this throws {@link io.asynq.BrokerUnavailableException}, the task may or may
	 * not be stored.
	 */
	void enqueue(EnqueueRequest request);

	/** Maybe in one call with those of other threads that come at the same time. */
	default void enqueueShared(EnqueueRequest request) {
		enqueue(request);
	}

	/**
	 * Each task by itself: a refusal, which stands in the place of its request, does not
	 * affect the others.
	 */
	List<Optional<AsynqException>> enqueueAll(List<EnqueueRequest> requests);

}
