package io.asynq.broker;

/**
 * Is told of arrivals. Calls come from one thread and may be spurious.
 */
public interface ArrivalListener {

	/**
	 * From now on queues can be watched; what came before may have been missed.
	 */
	void onReady();

	/**
	 * A task may be pending, or a pause may have ended.
	 * @param queue the queue
	 */
	void onPending(String queue);

	/**
	 * A task was scheduled or is to be retried, perhaps sooner than any other.
	 * @param queue the queue
	 */
	void onDelayed(String queue);

}
