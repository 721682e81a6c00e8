package io.asynq.scheduler;

import java.time.Instant;

import io.asynq.broker.FireStore;
import io.asynq.broker.SchedulerRegistry;
import io.asynq.client.FireClient;

/**
 * What all parts of one scheduler share.
 *
 * @param client enqueues
 * @param registry shows entries and what became of them
 * @param fires knows the last fires
 * @param options settings
 * @param listeners the user's ears
 */
record Scheduling(FireClient client, SchedulerRegistry registry, FireStore fires, SchedulerOptions options,
		SchedulerListeners listeners) {

	Instant now() {
		return this.options.clock().instant();
	}

}
