package io.asynq.scheduler;

import java.time.Instant;

import io.asynq.broker.SchedulerStore;
import io.asynq.client.FireClient;
import io.asynq.lifecycle.LoopErrorLog;

/**
 * Shared by all parts of one scheduler.
 *
 * @param store keeps the entries, their history and their last fires
 * @param errors logs errors that many entries can have at the same time
 */
record Scheduling(FireClient client, SchedulerStore store, SchedulerOptions options, SchedulerListeners listeners,
		LoopErrorLog errors) {

	Instant now() {
		return this.options.clock().instant();
	}

}
