package io.asynq.broker;

import org.jspecify.annotations.Nullable;

/**
 * Receives arrivals. Calls may be spurious.
 */
public interface ArrivalListener {

	/** Queues can be watched from now on. Earlier arrivals may have been missed. */
	void onReady();

	/** A task may be pending, or a pause may have ended. */
	void onPending(String queue);

	/** A task was scheduled or is to be retried, perhaps sooner than any other. */
	void onDelayed(String queue);

	/**
	 * The Redis that is listened to does not serve a watched queue any more, so the queue
	 * is not watched.
	 * @param master the address, {@code host:port}, of the one that does, {@code null}
	 * while that is not known
	 */
	void onMoved(String queue, @Nullable String master);

}
