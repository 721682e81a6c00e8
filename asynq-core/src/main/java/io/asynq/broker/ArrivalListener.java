package io.asynq.broker;

/**
 * Receives arrivals, from one thread. Calls may be spurious.
 */
public interface ArrivalListener {

	/** Queues can be watched from now on. Earlier arrivals may have been missed. */
	void onReady();

	/** A task may be pending, or a pause may have ended. */
	void onPending(String queue);

	/** A task was scheduled or is to be retried, perhaps sooner than any other. */
	void onDelayed(String queue);

}
