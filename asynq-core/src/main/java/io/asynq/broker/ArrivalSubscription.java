package io.asynq.broker;

import java.util.Collection;
import java.util.Set;

/**
 * Tells of arrivals in queues that are watched. A watch ends with the first change, so a
 * queue that is being worked off costs nothing; whoever has found the queue empty watches
 * it anew. Safe for concurrent use.
 */
public interface ArrivalSubscription extends Subscription {

	/**
	 * Watches pending tasks and pauses, and looks at them.
	 * @param queues the queues, all in one call to Redis
	 * @return those that have pending tasks at this moment and are not paused
	 * @throws io.asynq.BrokerException if Redis cannot be reached or fails, or this is
	 * not listening
	 */
	Set<String> watchPending(Collection<String> queues);

	/**
	 * Watches scheduled and retry tasks. To be called before looking at them.
	 * @param queues the queues, all in one call to Redis
	 * @throws io.asynq.BrokerException if Redis cannot be reached or fails, or this is
	 * not listening
	 */
	void watchDelayed(Collection<String> queues);

}
