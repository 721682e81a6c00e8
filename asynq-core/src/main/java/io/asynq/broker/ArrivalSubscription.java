package io.asynq.broker;

import java.util.Collection;
import java.util.Set;

/**
 * A watch ends with the first change, so that a busy queue costs nothing: a server that
 * finds the queue empty watches it again.
 */
public interface ArrivalSubscription extends Subscription {

	/**
	 * Watches pending tasks and pauses in one call, and returns the queues that have
	 * pending tasks now and are not paused.
	 */
	Set<String> watchPending(Collection<String> queues);

	/**
	 * To be called before scheduled and retry tasks are read, or a change in between is
	 * missed.
	 */
	void watchDelayed(Collection<String> queues);

}
