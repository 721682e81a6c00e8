package io.asynq.broker;

import java.util.Collection;

/**
 * Tells when something may have arrived in a queue, whoever put it there: a pending task,
 * a nearer scheduled or retry time, the end of a pause.
 */
public interface ArrivalBus {

	/**
	 * Opens a subscription that occupies two connections, whatever the number of queues.
	 * @param queues the queues that may be watched
	 * @param listener is told; must not block
	 * @return the subscription, not yet listening; {@link Subscription#listen()} throws
	 * when this kind of connection cannot tell and queues must be polled
	 */
	ArrivalSubscription subscribe(Collection<String> queues, ArrivalListener listener);

}
