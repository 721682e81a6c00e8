package io.asynq.internal.worker;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Supplier;

import io.asynq.BrokerException;
import io.asynq.internal.lane.QueueRound;
import io.asynq.internal.lane.WorkFinder;
import io.asynq.internal.lifecycle.Loops;
import io.asynq.internal.lifecycle.PeriodicComponent;
import io.asynq.internal.lifecycle.ServerPhase;

/**
 * Recovers tasks as soon as the lease has expired if no live server lists them, otherwise
 * after Go's grace period.
 */
public final class Recoverer extends PeriodicComponent {

	private static final Duration SWEEP_INTERVAL = Duration.ofMinutes(1);

	private final Supplier<List<QueueRecovery>> fresh;

	private final RecoveryDecision decision;

	/** Read at most once per pass. */
	private final ListedTasks listed;

	private final Consumer<String> sweep;

	private final QueueRound round;

	private Map<String, QueueRecovery> queues = Map.of();

	private long lastSweepNanos;

	/**
	 * @param sweep repairs what servers that are gone have left in a queue
	 */
	public Recoverer(Supplier<List<QueueRecovery>> fresh, RecoveryDecision decision, ListedTasks listed,
			Consumer<String> sweep, QueueRound round, Loops loops) {
		super(ServerPhase.RECOVERER, loops);
		this.fresh = fresh;
		this.decision = decision;
		this.listed = listed;
		this.sweep = sweep;
		this.round = round;
	}

	@Override
	protected void starting() {
		this.decision.start();
		Map<String, QueueRecovery> started = new LinkedHashMap<>();
		this.fresh.get().forEach((recovery) -> started.put(recovery.queue(), recovery));
		this.queues = started;
		this.lastSweepNanos = System.nanoTime() - SWEEP_INTERVAL.toNanos();
	}

	@Override
	protected void stopping() {
		this.decision.end();
	}

	@Override
	protected Duration runOnce() {
		this.listed.forget();
		boolean sweep = System.nanoTime() - this.lastSweepNanos >= SWEEP_INTERVAL.toNanos();
		if (sweep) {
			this.lastSweepNanos = System.nanoTime();
		}
		Map<String, QueueRecovery> present = this.queues;
		this.round.each(sweep ? WorkFinder.Kind.RECOVER_AND_SWEEP : WorkFinder.Kind.RECOVER, present.keySet(),
				(queue) -> visit(present.get(queue), sweep),
				(queue, found) -> present.get(queue).nothingIsActive(found),
				(queue) -> present.get(queue).redisWasAway());
		return present.values()
			.stream()
			.map(QueueRecovery::untilNextLook)
			.min(Duration::compareTo)
			.orElse(SWEEP_INTERVAL);
	}

	private void visit(QueueRecovery recovery, boolean sweep) {
		try {
			recovery.recover(this::shouldContinue);
		}
		catch (BrokerException ex) {
			recovery.redisWasAway();
			throw ex;
		}
		finally {
			if (sweep) {
				this.sweep.accept(recovery.queue());
			}
		}
	}

}
