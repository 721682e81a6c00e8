package io.asynq.internal.worker;

import java.time.Duration;

import io.asynq.internal.lane.QueueRound;
import io.asynq.internal.lane.WorkFinder;
import io.asynq.internal.lifecycle.Loops;
import io.asynq.internal.lifecycle.PeriodicComponent;
import io.asynq.internal.lifecycle.ServerPhase;
import io.asynq.server.ServerOptions;

/**
 * Deletes completed tasks after their retention.
 */
public final class Janitor extends PeriodicComponent {

	private final TaskUpkeep tasks;

	private final ServerOptions options;

	private final QueueRound round;

	public Janitor(TaskUpkeep tasks, ServerOptions options, QueueRound round, Loops loops) {
		super(ServerPhase.JANITOR, loops);
		this.tasks = tasks;
		this.options = options;
		this.round = round;
	}

	@Override
	protected Duration runOnce() {
		this.round.each(WorkFinder.Kind.CLEAN, this.options.queues().weights().keySet(), this::clean);
		return this.options.janitorInterval();
	}

	private void clean(String queue) {
		int batch = this.options.janitorBatchSize();
		int deleted = batch;
		while (deleted >= batch && shouldContinue()) {
			deleted = this.tasks.deleteExpired(queue, batch);
		}
	}

}
