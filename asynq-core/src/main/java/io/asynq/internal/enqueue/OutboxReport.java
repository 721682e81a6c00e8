package io.asynq.internal.enqueue;

import java.time.Clock;

import io.asynq.AsynqException;
import io.asynq.internal.event.TaskEvents;

/**
 * Tells listeners of tasks sent from an outbox what the client tells of its own.
 */
public final class OutboxReport {

	private final StoredTasks stored;

	public OutboxReport(Clock clock, TaskEvents events) {
		this.stored = new StoredTasks(clock, events);
	}

	public void stored(EnqueueRequest request) {
		this.stored.stored(request);
	}

	public void notStored(EnqueueRequest request, AsynqException error) {
		this.stored.notStored(request, error);
	}

}
