package io.asynq.client;

import java.time.Clock;

import io.asynq.AsynqException;
import io.asynq.broker.message.EnqueueRequest;
import io.asynq.event.TaskEvents;

/**
 * Tells listeners what has become of tasks that were sent from an outbox, as the client
 * does for those that it sends itself. Safe for concurrent use.
 */
public final class OutboxReport {

	private final StoredTasks stored;

	/**
	 * Creates the report.
	 * @param clock the present time
	 * @param events tells listeners
	 */
	public OutboxReport(Clock clock, TaskEvents events) {
		this.stored = new StoredTasks(clock, events);
	}

	/**
	 * Tells that a task was stored.
	 * @param request the task
	 */
	public void stored(EnqueueRequest request) {
		this.stored.stored(request);
	}

	/**
	 * Tells that a task was not stored.
	 * @param request the task
	 * @param error why not
	 */
	public void notStored(EnqueueRequest request, AsynqException error) {
		this.stored.notStored(request, error);
	}

}
