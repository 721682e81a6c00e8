package io.asynq.internal.enqueue;

import java.util.List;
import java.util.Optional;

import io.asynq.AsynqException;

/** Where the tasks of a client go: to Redis, or to a recorder in tests. */
public interface TaskEnqueuer {

	/** After a {@link io.asynq.BrokerUnavailableException} it may be stored or not. */
	void enqueue(EnqueueRequest request);

	/** Maybe in one call with those of other threads that come at the same time. */
	default void enqueueShared(EnqueueRequest request) {
		enqueue(request);
	}

	/** A refusal, in the place of its request, does not affect the others. */
	List<Optional<AsynqException>> enqueueAll(List<EnqueueRequest> requests);

	/**
	 * Also fails if Redis is too old, refuses its user, or is a single node of a cluster.
	 */
	void ping();

}
