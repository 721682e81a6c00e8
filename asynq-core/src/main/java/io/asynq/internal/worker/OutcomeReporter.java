package io.asynq.internal.worker;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

import io.asynq.internal.lifecycle.Loops;
import io.asynq.internal.lifecycle.PeriodicComponent;
import io.asynq.internal.lifecycle.ServerPhase;

/**
 * The only component that ends a task: outcomes that have gathered are written together
 * (group commit), and when Redis is slow, their number is bounded and workers wait.
 */
public final class OutcomeReporter extends PeriodicComponent implements Outcomes {

	private static final int BATCH = 256;

	private static final Duration LAST_PATIENCE = Duration.ofSeconds(2);

	private static final Duration UNTIL_WOKEN = Duration.ofSeconds(1);

	/** How long outcomes gather while several arrive at a time. */
	private static final long GATHERING = Duration.ofNanos(100_000).toNanos();

	private final BlockingQueue<PendingOutcome> waiting;

	private final OutcomeLanes lanes;

	private final ActiveTasks active;

	/** Kept until Redis has taken it, whatever is thrown meanwhile. */
	private final List<PendingOutcome> inHand = new ArrayList<>(BATCH);

	private final AtomicInteger reporting = new AtomicInteger();

	private boolean several;

	private volatile boolean idle;

	public OutcomeReporter(OutcomeLanes lanes, ActiveTasks active, int limit, Loops loops) {
		super(ServerPhase.OUTCOME_REPORTER, loops);
		this.lanes = lanes;
		this.active = active;
		this.waiting = new ArrayBlockingQueue<>(limit);
	}

	/** Blocks while too many outcomes are waiting. */
	@Override
	public void report(Attempt attempt, Outcome outcome) {
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

	/** Keeps the order, as a shutdown requires. */
	public void reportNow(List<PendingOutcome> outcomes) {
		if (!outcomes.isEmpty()) {
			this.lanes.send(outcomes);
		}
	}

	@Override
	public void forget(Attempt attempt) {
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
		// A single outcome is not delayed: nothing indicates that another will follow
		this.several = this.inHand.size() > 1;
		reportNow(this.inHand);
		this.inHand.clear();
		return Duration.ZERO;
	}

	@Override
	protected void stopped() {
		runAtStopForOutcomes(this::sendAll);
	}

	private void put(PendingOutcome pending) {
		boolean interrupted = false;
		while (true) {
			try {
				this.waiting.put(pending);
				break;
			}
			catch (InterruptedException ex) {
				// The interrupt is meant for another party and must not lose the outcome
				interrupted = true;
			}
		}
		if (interrupted) {
			Thread.currentThread().interrupt();
		}
	}

	/** Goes on until the last thread that hands an outcome over has done so. */
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

	/** Resends outcomes that an error kept from being sent, or from being confirmed. */
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
