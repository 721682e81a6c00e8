package io.asynq.broker;

import java.util.Collection;
import java.util.function.Consumer;

/**
 * What servers are notified of: that a task is to be cancelled, or that something may
 * have arrived in a queue, from any client (a pending task, an earlier scheduled or retry
 * time, the end of a pause). Safe for concurrent use.
 */
public interface Signals {

	/**
	 * Asks every server to cancel an active task. Best effort: it reaches the servers
	 * that are listening at this moment.
	 */
	void cancel(String taskId);

	/** Like {@link #cancel(String)}, from the master of the task's queue. */
	void cancel(String queue, String taskId);

	/**
	 * Opens a subscription to cancellations, on a cluster to those that one node passes
	 * on ({@link #at}).
	 * @param onReady called once messages are being received
	 * @param onCancel called with a task's id; must not block
	 * @return the subscription, not yet listening
	 */
	Subscription subscribeToCancellations(Runnable onReady, Consumer<String> onCancel);

	/**
	 * Opens a subscription to arrivals, which takes one or two connections however many
	 * queues there are; on a cluster to those of one node ({@link #at}).
	 * @param queues the queues that may be watched
	 * @param listener receives the arrivals; must not block
	 * @return the subscription, not yet listening; {@link Subscription#listen()} throws
	 * when this kind of connection does not support it and queues must be polled
	 */
	ArrivalSubscription subscribeToArrivals(Collection<String> queues, ArrivalListener listener);

	/**
	 * Returns whether Redis is a cluster, each master of which reports only the arrivals
	 * in its own queues. May ask Redis.
	 * @throws io.asynq.BrokerException if Redis cannot be reached
	 */
	boolean areSpread();

	/**
	 * Returns the signals that one node of a cluster sends.
	 * @param node its address, {@code host:port}
	 */
	Signals at(String node);

}
