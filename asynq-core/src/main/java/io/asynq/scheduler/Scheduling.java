package io.asynq.scheduler;

import java.time.Instant;

import io.asynq.AsynqException;
import io.asynq.TaskInfo;
import io.asynq.broker.SchedulerStore;
import io.asynq.client.FireClient;
import io.asynq.lifecycle.LoopErrorLog;
import io.asynq.logging.OneLineLogger;
import org.slf4j.Logger;

/**
 * Shared by all parts of one scheduler.
 *
 * @param store keeps the entries, their history and their last fires
 * @param errors logs errors that many entries can have at the same time
 */
record Scheduling(FireClient client, SchedulerStore store, SchedulerOptions options, SchedulerListeners listeners,
		LoopErrorLog errors) {

	private static final Logger logger = OneLineLogger.of(Scheduling.class);

	Instant now() {
		return this.options.clock().instant();
	}

	/** Adds a task to the history of its entry. */
	void record(Entry entry, TaskInfo task) {
		try {
			this.store.recordEnqueued(entry.id(), task.id(), now());
		}
		catch (AsynqException ex) {
			logger.warn("{}: task {} is enqueued, but missing in the history: {}", entry, task.id(), ex.getMessage());
		}
	}

}
