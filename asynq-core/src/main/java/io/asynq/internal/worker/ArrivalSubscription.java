package io.asynq.internal.worker;

import java.util.Collection;
import java.util.Set;

import io.asynq.internal.redis.Subscription;

/** A watch ends with the first change, so a queue found empty has to be watched again. */
public interface ArrivalSubscription extends Subscription {

	/** Returns the queues that have pending tasks now and are not paused. */
	Set<String> watchPending(Collection<String> queues);

	/** To be called before the tasks are read, or a change in between is missed. */
	void watchDelayed(Collection<String> queues);

}
