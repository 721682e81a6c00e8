package io.asynq.broker;

import java.util.Collection;

import org.jspecify.annotations.Nullable;

/**
 * Tells when something may have arrived in a queue, whoever put it there: a pending task,
 * a nearer scheduled or retry time, the end of a pause.
 */
public interface ArrivalBus {

	/**
	 * Opens a subscription that occupies one connection, whatever the number of queues.
	 * @param queues the queues
	 * @param listener is told; must not block
	 * @return the subscription, not yet listening, or {@code null} when this connection
	 * cannot tell and queues must be polled
	 */
	@Nullable Subscription subscribe(Collection<String> queues, ArrivalListener listener);

}
