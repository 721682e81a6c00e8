package io.asynq.scheduler;

import java.time.Instant;

import io.asynq.broker.FireStore;
import io.asynq.broker.SchedulerRegistry;
import io.asynq.client.FireClient;
import io.asynq.lifecycle.LoopErrorLog;

/**
 * What all parts of one scheduler share.
 *
 * @param client enqueues
 * @param registry shows entries and what became of them
 * @param fires knows the last fires
 * @param options settings
 * @param listeners the user's ears
 * @param errors where it is told what Redis refuses, perhaps to all entries
 */
record Scheduling(FireClient client, SchedulerRegistry registry, FireStore fires, SchedulerOptions options,
		SchedulerListeners listeners, LoopErrorLog errors) {

	Instant now() {
		return this.options.clock().instant();
	}

}
