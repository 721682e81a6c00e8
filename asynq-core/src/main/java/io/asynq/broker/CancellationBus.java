package io.asynq.broker;

import java.util.function.Consumer;

/**
 * Carries requests to cancel active tasks (asynq O16). Best effort: a request reaches the
 * servers that listen at that moment. Safe for concurrent use.
 */
public interface CancellationBus {

	/**
	 * Asks every server to cancel a task.
	 * @param taskId the task's id
	 * @throws io.asynq.BrokerException if Redis cannot be reached or fails
	 */
	void publish(String taskId);

	/**
	 * Opens a subscription.
	 * @param onReady called once the requests are being received
	 * @param onCancel called with a task's id; must not block
	 * @return the subscription, not yet listening
	 */
	Subscription subscribe(Runnable onReady, Consumer<String> onCancel);

}
