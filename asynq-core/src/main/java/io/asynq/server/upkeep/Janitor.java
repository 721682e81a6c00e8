package io.asynq.server.upkeep;

import java.time.Duration;

import io.asynq.broker.TaskUpkeep;
import io.asynq.broker.work.WorkFinder;
import io.asynq.lifecycle.Loops;
import io.asynq.lifecycle.PeriodicComponent;
import io.asynq.lifecycle.ServerPhase;
import io.asynq.server.ServerOptions;
import io.asynq.server.lane.WorkRound;

/**
 * Deletes completed tasks after their retention.
 */
public final class Janitor extends PeriodicComponent {

	private final TaskUpkeep tasks;

	private final ServerOptions options;

	private final WorkRound round;

	public Janitor(TaskUpkeep tasks, ServerOptions options, WorkRound round, Loops loops) {
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
