package io.asynq.broker;

import java.time.Instant;
import java.util.Optional;

/**
 * Stores the tasks of periodic entries, each fire once among any number of schedulers.
 * Safe for concurrent use.
 */
public interface FireStore {

	/**
	 * Stores a fire's task unless another scheduler has asked for that fire before, if
	 * only to be refused.
	 * @param request the task
	 * @param fire the fire
	 * @return what became of the task, empty if the fire is another scheduler's; the same
	 * again when the same scheduler asks again
	 * @throws io.asynq.BrokerException if Redis cannot be reached or fails
	 */
	Optional<EnqueueStatus> enqueue(EnqueueRequest request, Fire fire);

	/**
	 * Notes that a fire has no task, so that it is the last one that is known, unless a
	 * later one is.
	 * @param queue the queue of its entry's tasks
	 * @param fire the fire
	 * @throws io.asynq.BrokerException if Redis cannot be reached or fails
	 */
	void pass(String queue, Fire fire);

	/**
	 * Returns the last fire that is known of an entry; if there is none, says from when
	 * on fires count as missed.
	 * @param queue the queue of its tasks
	 * @param entry identity of the entry
	 * @param first what to keep if none is known
	 * @return the last fire, or what was kept instead
	 * @throws io.asynq.BrokerException if Redis cannot be reached or fails
	 */
	Instant lastFire(String queue, String entry, Instant first);

	/**
	 * Forgets the last fire of an entry, which has missed nothing when it comes back.
	 * @param queue the queue of its tasks
	 * @param entry identity of the entry
	 * @throws io.asynq.BrokerException if Redis cannot be reached or fails
	 */
	void forget(String queue, String entry);

}
