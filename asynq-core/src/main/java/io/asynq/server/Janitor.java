package io.asynq.server;

import java.time.Duration;

import io.asynq.lifecycle.PeriodicComponent;
import io.asynq.lifecycle.ServerPhase;

/**
 * Deletes completed tasks whose retention is over (asynq J04, F21).
 */
final class Janitor extends PeriodicComponent {

	private final ServerRuntime runtime;

	Janitor(ServerRuntime runtime) {
		super(ServerPhase.JANITOR, runtime.loops());
		this.runtime = runtime;
	}

	@Override
	protected Duration runOnce() {
		this.runtime.round("asynq-janitor").each(this.runtime.options().queues().weights().keySet(), this::clean);
		return this.runtime.options().janitorInterval();
	}

	private void clean(String queue) {
		int batch = this.runtime.options().janitorBatchSize();
		int deleted = batch;
		while (deleted >= batch && goesOn()) {
			deleted = this.runtime.broker().completedTasks().deleteExpired(queue, batch);
		}
	}

}
