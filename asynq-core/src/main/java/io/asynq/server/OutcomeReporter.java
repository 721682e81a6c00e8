package io.asynq.server;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

import io.asynq.broker.Outcome;
import io.asynq.lifecycle.Loops;
import io.asynq.lifecycle.PeriodicComponent;
import io.asynq.lifecycle.ServerPhase;

/**
 * The only place that ends a task. Workers hand outcomes over and go on; whatever has
 * gathered is written together (group commit). When Redis is slow the outcomes that wait
 * are bounded, and workers wait.
 */
final class OutcomeReporter extends PeriodicComponent {

	private static final int BATCH = 256;

	/** How long a stop waits for the masters of a cluster to take what is left. */
	private static final Duration LAST_PATIENCE = Duration.ofSeconds(2);

	private static final Duration UNTIL_WOKEN = Duration.ofSeconds(1);

	/** How long outcomes gather while several come at a time. */
	private static final long GATHERING = Duration.ofNanos(100_000).toNanos();

	private final BlockingQueue<PendingOutcome> waiting;

	private final OutcomeLanes lanes;

	private final ActiveTasks active;

	/**
	 * What is being sent; stays until it has been taken, whatever is thrown meanwhile.
	 */
	private final List<PendingOutcome> inHand = new ArrayList<>(BATCH);

	/** How many are handing an outcome over at this moment. */
	private final AtomicInteger reporting = new AtomicInteger();

	private boolean several;

	private volatile boolean idle;

	OutcomeReporter(OutcomeLanes lanes, ActiveTasks active, int limit, Loops loops) {
		super(ServerPhase.OUTCOME_REPORTER, loops);
		this.lanes = lanes;
		this.active = active;
		this.waiting = new ArrayBlockingQueue<>(limit);
	}

	/**
	 * Takes the outcome of an attempt; waits while too many outcomes wait.
	 * @param attempt the attempt
	 * @param outcome its outcome
	 */
	void report(Attempt attempt, Outcome outcome) {
		this.reporting.incrementAndGet();
		try {
			put(new PendingOutcome(attempt, outcome, false));
		}
		finally {
			this.reporting.decrementAndGet();
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
			this.lanes.send(outcomes);
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
		synchronized (this.inHand) {
			return sendInHand() ? Duration.ZERO : sendNext();
		}
	}

	private Duration sendNext() {
		PendingOutcome first = this.waiting.poll();
		if (first == null) {
			this.lanes.goOn();
			this.idle = true;
			return this.waiting.isEmpty() ? UNTIL_WOKEN : Duration.ZERO;
		}
		this.idle = false;
		this.inHand.add(first);
		if (this.several) {
			LockSupport.parkNanos(GATHERING);
		}
		this.waiting.drainTo(this.inHand, BATCH - 1);
		// A single one is not held up: nothing says that another will come
		this.several = this.inHand.size() > 1;
		reportNow(this.inHand);
		this.inHand.clear();
		return Duration.ZERO;
	}

	@Override
	protected void stopped() {
		lastOutcomes(this::sendAll);
	}

	private void put(PendingOutcome pending) {
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
	}

	/**
	 * Sends what is left, until the last who hands something over has done so.
	 */
	private void sendAll() {
		List<PendingOutcome> batch = new ArrayList<>();
		do {
			batch.clear();
			if (this.waiting.drainTo(batch, BATCH) > 0) {
				reportNow(batch);
			}
			else {
				LockSupport.parkNanos(GATHERING);
			}
		}
		while (!batch.isEmpty() || this.reporting.get() > 0 || !this.waiting.isEmpty());
		synchronized (this.inHand) {
			sendInHand();
		}
		this.lanes.end(LAST_PATIENCE);
	}

	/**
	 * Sends again what an error kept from being sent, or from being seen to be.
	 */
	private boolean sendInHand() {
		if (this.inHand.isEmpty()) {
			return false;
		}
		this.inHand.replaceAll(PendingOutcome::sentOnce);
		reportNow(this.inHand);
		this.inHand.clear();
		return true;
	}

}
