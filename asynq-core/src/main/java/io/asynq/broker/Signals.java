package io.asynq.broker;

import java.util.Collection;
import java.util.function.Consumer;

public interface Signals {

	/** Best effort: reaches only the servers that are listening at this moment. */
	void cancel(String taskId);

	/** Sent from the master of the task's queue. */
	void cancel(String queue, String taskId);

	/**
	 * On a cluster, only cancellations that one node passes on arrive; {@code onCancel}
	 * must not block.
	 */
	Subscription subscribeToCancellations(Runnable onReady, Consumer<String> onCancel);

	/**
	 * Takes one or two connections however many queues there are, on a cluster those of
	 * one node; {@link Subscription#listen()} throws where this is not supported and
	 * queues must be polled.
	 */
	ArrivalSubscription subscribeToArrivals(Collection<String> queues, ArrivalListener listener);

	/**
	 * Returns whether Redis is a cluster, each master of which reports only arrivals in
	 * its own queues; may ask Redis.
	 */
	boolean areSpread();

	Signals at(String node);

}
