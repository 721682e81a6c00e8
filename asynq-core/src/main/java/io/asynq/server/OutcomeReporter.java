package io.asynq.server;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

import io.asynq.broker.Outcome;
import io.asynq.lifecycle.LoopErrorLog;
import io.asynq.lifecycle.PeriodicComponent;
import io.asynq.lifecycle.ServerPhase;

/**
 * The only place that ends a task. Workers hand outcomes over and go on; whatever has
 * gathered is written together (group commit). When Redis is slow the outcomes that wait
 * are bounded, and workers wait.
 */
final class OutcomeReporter extends PeriodicComponent {

	private static final int BATCH = 256;

	private static final Duration UNTIL_WOKEN = Duration.ofSeconds(1);

	/** How long outcomes gather while several come at a time. */
	private static final long GATHERING = Duration.ofNanos(100_000).toNanos();

	private final BlockingQueue<PendingOutcome> waiting;

	private final OutcomeSender sender;

	private final Syncer syncer;

	private final ActiveTasks active;

	private boolean several;

	private volatile boolean idle;

	OutcomeReporter(OutcomeSender sender, Syncer syncer, ActiveTasks active, int limit, BooleanSupplier autoStartup,
			LoopErrorLog errors) {
		super(ServerPhase.OUTCOME_REPORTER, autoStartup, errors);
		this.sender = sender;
		this.syncer = syncer;
		this.active = active;
		this.waiting = new ArrayBlockingQueue<>(limit);
	}

	/**
	 * Takes the outcome of an attempt; waits while too many outcomes wait.
	 * @param attempt the attempt
	 * @param outcome its outcome
	 */
	void report(Attempt attempt, Outcome outcome) {
		PendingOutcome pending = new PendingOutcome(attempt, outcome, false);
		boolean interrupted = false;
		while (true) {
			try {
				this.waiting.put(pending);
				break;
			}
			catch (InterruptedException ex) {
				// An outcome must not be lost to an interrupt that was meant for somebody
				// else
				interrupted = true;
			}
		}
		if (interrupted) {
			Thread.currentThread().interrupt();
		}
		if (this.idle) {
			this.idle = false;
			wake();
		}
	}

	/**
	 * Writes outcomes at once and in their order, as a shutdown needs it.
	 * @param outcomes the outcomes
	 */
	void reportNow(List<PendingOutcome> outcomes) {
		if (!outcomes.isEmpty()) {
			this.syncer.takeOver(this.sender.send(outcomes));
		}
	}

	/**
	 * Lets go of a task about which nothing may be written any more.
	 * @param attempt its attempt
	 */
	void forget(Attempt attempt) {
		this.active.release(attempt);
	}

	@Override
	protected Duration runOnce() {
		PendingOutcome first = this.waiting.poll();
		if (first == null) {
			this.idle = true;
			return this.waiting.isEmpty() ? UNTIL_WOKEN : Duration.ZERO;
		}
		this.idle = false;
		List<PendingOutcome> batch = new ArrayList<>();
		batch.add(first);
		if (this.several) {
			LockSupport.parkNanos(GATHERING);
		}
		this.waiting.drainTo(batch, BATCH - 1);
		// A single one is not held up: nothing says that another will come
		this.several = batch.size() > 1;
		reportNow(batch);
		return Duration.ZERO;
	}

	@Override
	protected void stopped() {
		List<PendingOutcome> batch = new ArrayList<>();
		while (this.waiting.drainTo(batch, BATCH) > 0) {
			reportNow(batch);
			batch.clear();
		}
	}

}
