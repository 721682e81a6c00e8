package io.asynq.archfixture.internal.worker;

import java.time.Duration;
import java.util.List;

import io.asynq.internal.lane.QueueRound;
import io.asynq.internal.lifecycle.LoopErrorLog;
import io.asynq.internal.lifecycle.Loops;
import io.asynq.internal.lifecycle.PeriodicComponent;
import io.asynq.internal.lifecycle.PeriodicRunner;
import io.asynq.internal.lifecycle.ServerPhase;
import io.asynq.internal.worker.TaskUpkeep;
import io.asynq.internal.worker.UnhandledStore;

/**
 * Keeps to the lanes as it starts only.
 */
final class LoopThatGoesPastTheLanes extends PeriodicComponent {

	private final TaskUpkeep upkeep;

	private final UnhandledStore unhandled;

	private final QueueRound round;

	private final List<String> queues;

	private final PeriodicRunner other;

	LoopThatGoesPastTheLanes(TaskUpkeep upkeep, UnhandledStore unhandled, QueueRound round, List<String> queues,
			Loops loops) {
		super(ServerPhase.JANITOR, loops);
		this.upkeep = upkeep;
		this.unhandled = unhandled;
		this.round = round;
		this.queues = queues;
		this.other = new PeriodicRunner("other", this::extend, new LoopErrorLog(), true);
	}

	@Override
	protected void starting() {
		this.other.start();
		this.round.each(this.queues, this::forward);
	}

	@Override
	protected Duration runOnce() {
		this.queues.forEach(this::forward);
		return Duration.ZERO;
	}

	@Override
	protected void stopped() {
		runAtStop(() -> this.queues.forEach((queue) -> this.unhandled.waiting(queue)));
	}

	private Duration extend() {
		this.upkeep.extend(this.queues.get(0), List.of());
		return Duration.ZERO;
	}

	private void forward(String queue) {
		this.upkeep.forward(queue);
	}

}
