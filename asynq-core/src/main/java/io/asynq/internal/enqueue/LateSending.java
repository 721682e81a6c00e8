package io.asynq.internal.enqueue;

import java.util.List;
import java.util.function.Supplier;

import io.asynq.AsynqException;
import io.asynq.DuplicateTaskException;
import io.asynq.EnqueueAttempt;
import io.asynq.TaskIdConflictException;
import io.asynq.TaskInfo;
import io.asynq.internal.redis.TaskMessage;
import io.asynq.internal.text.OneLineLogger;
import org.slf4j.Logger;

/**
 * It is too late for exceptions here, so errors go to the log and to listeners.
 */
final class LateSending {

	private static final Logger logger = OneLineLogger.of(LateSending.class);

	private static final String LINE = "Task {} ({}), deferred until its transaction had committed,"
			+ " was not enqueued in queue {}: {}";

	private final TaskEnqueuer enqueuer;

	private final Supplier<EnqueueBatch> batches;

	private final StoredTasks stored;

	LateSending(TaskEnqueuer enqueuer, Supplier<EnqueueBatch> batches, StoredTasks stored) {
		this.enqueuer = enqueuer;
		this.batches = batches;
		this.stored = stored;
	}

	TaskInfo deferred(EnqueueRequest request) {
		return this.stored.deferred(request);
	}

	void send(List<EnqueueRequest> requests) {
		EnqueueBatch batch = this.batches.get();
		requests.forEach((request) -> batch.add(request.message().toTask(), request));
		try {
			List<EnqueueAttempt> attempts = batch.send(this.enqueuer);
			for (int i = 0; i < attempts.size(); i++) {
				AsynqException error = attempts.get(i).error();
				if (error != null) {
					tell(requests.get(i), error);
				}
			}
		}
		catch (RuntimeException ex) {
			// The transaction has committed: whoever called must not believe that it
			// failed
			AsynqException error = new AsynqException("Unexpected error: " + ex, ex);
			requests.forEach((request) -> tell(request, error));
		}
	}

	void giveUp(List<EnqueueRequest> requests) {
		AsynqException error = new AsynqException("The outcome of its transaction is not known");
		requests.forEach((request) -> tell(request, error));
	}

	private void tell(EnqueueRequest request, AsynqException error) {
		TaskMessage message = request.message();
		if (error instanceof DuplicateTaskException || error instanceof TaskIdConflictException) {
			logger.info(LINE, message.id(), message.type(), message.queue(), error.getMessage());
		}
		else {
			logger.warn(LINE, message.id(), message.type(), message.queue(), error.getMessage());
		}
		this.stored.notStored(request, error);
	}

}
