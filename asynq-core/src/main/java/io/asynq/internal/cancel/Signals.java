package io.asynq.internal.cancel;

import java.util.Collection;
import java.util.function.Consumer;

import io.asynq.internal.arrival.ArrivalListener;
import io.asynq.internal.arrival.ArrivalSubscription;
import io.asynq.internal.redis.Subscription;

public interface Signals {

	/** Best effort: reaches only the servers that are listening at this moment. */
	void cancel(String taskId);

	/** Sent from the master of the task's queue. */
	void cancel(String queue, String taskId);

	/** On a cluster those that one node passes on; {@code onCancel} must not block. */
	Subscription subscribeToCancellations(Runnable onReady, Consumer<String> onCancel);

	/**
	 * Takes one or two connections however many queues there are;
	 * {@link Subscription#listen()} throws where queues must be polled.
	 */
	ArrivalSubscription subscribeToArrivals(Collection<String> queues, ArrivalListener listener);

	/**
	 * Each master of a cluster reports only arrivals in its own queues; may ask Redis.
	 */
	boolean areSpread();

	Signals at(String node);

}
