package io.asynq.broker;

import java.util.Collection;
import java.util.Set;

/**
 * Reports arrivals in watched queues. A watch ends with the first change, so a busy queue
 * costs nothing. A server that finds the queue empty watches it again. A queue that is
 * not served by this Redis is not watched, which the listener hears. Safe for concurrent
 * use.
 */
public interface ArrivalSubscription extends Subscription {

	/**
	 * Watches pending tasks and pauses, and reads them.
	 * @param queues the queues, all in one call to Redis
	 * @return those that have pending tasks at this moment and are not paused
	 * @throws io.asynq.BrokerException if Redis cannot be reached or fails, or this is
	 * not listening
	 */
	Set<String> watchPending(Collection<String> queues);

	/**
	 * Watches scheduled and retry tasks. Call it before reading them.
	 * @param queues the queues, all in one call to Redis
	 * @throws io.asynq.BrokerException if Redis cannot be reached or fails, or this is
	 * not listening
	 */
	void watchDelayed(Collection<String> queues);

}
