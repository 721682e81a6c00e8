package io.asynq.internal.worker;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

import io.asynq.BrokerUnavailableException;
import io.asynq.internal.lane.Lanes;

/**
 * On a cluster each master has a thread that writes its outcomes, so that one that hangs
 * or is down does not delay the others; with a single Redis the caller's thread writes
 * them.
 */
public final class OutcomeLanes {

	private static final int BATCH = 256;

	/** How long to wait for room in a full lane; once only, until it has room again. */
	private static final Duration PATIENCE = Duration.ofMillis(500);

	private static final Duration LOOK = Duration.ofMillis(5);

	private final Lanes lanes;

	private final OutcomeSender sender;

	private final Syncer syncer;

	private final int limit;

	private final Map<String, Lane> byName = new ConcurrentHashMap<>();

	public OutcomeLanes(Lanes lanes, OutcomeSender sender, Syncer syncer, int limit) {
		this.lanes = lanes;
		this.sender = sender;
		this.syncer = syncer;
		this.limit = limit;
	}

	/** Those of one queue stay in order. */
	void send(List<PendingOutcome> outcomes) {
		if (!this.lanes.areSeveral()) {
			this.syncer.takeOver(this.sender.send(outcomes));
			return;
		}
		for (PendingOutcome outcome : outcomes) {
			String name = this.lanes.of(outcome.attempt().queue());
			this.byName.computeIfAbsent(name, Lane::new).offer(outcome);
		}
		goOn();
	}

	void goOn() {
		this.byName.values().forEach(Lane::start);
	}

	void end(Duration patience) {
		long end = System.nanoTime() + patience.toNanos();
		goOn();
		while (this.byName.values().stream().anyMatch(Lane::isBusy) && System.nanoTime() - end < 0) {
			LockSupport.parkNanos(LOOK.toNanos());
		}
		this.byName.values().forEach(Lane::handOver);
	}

	private final class Lane implements Runnable {

		private final String name;

		private final BlockingQueue<PendingOutcome> waiting = new LinkedBlockingQueue<>(OutcomeLanes.this.limit);

		/**
		 * Kept until Redis has taken it; used by the thread that has made the lane busy.
		 */
		private final List<PendingOutcome> inHand = new ArrayList<>(BATCH);

		private boolean busy;

		private volatile boolean unwritten;

		private volatile boolean full;

		Lane(String name) {
			this.name = name;
		}

		void offer(PendingOutcome outcome) {
			boolean taken = this.waiting.offer(outcome);
			if (!taken && !this.full) {
				start();
				taken = offerPatiently(outcome);
				this.full = !taken;
			}
			if (!taken) {
				OutcomeLanes.this.syncer.takeOver(new OutcomeSender.Unsent(List.of(outcome), null));
			}
		}

		void start() {
			synchronized (this) {
				if (this.busy || this.waiting.isEmpty() && !this.unwritten) {
					return;
				}
				this.busy = true;
			}
			try {
				OutcomeLanes.this.lanes.executor().execute(this);
			}
			catch (Throwable ex) {
				ended();
				throw ex;
			}
		}

		@Override
		public void run() {
			try {
				// Left by an error: part of it may have been written
				this.inHand.replaceAll(PendingOutcome::sentOnce);
				while (!this.inHand.isEmpty() || this.waiting.drainTo(this.inHand, BATCH) > 0) {
					this.unwritten = true;
					write(this.inHand);
					this.inHand.clear();
					this.unwritten = false;
				}
			}
			finally {
				ended();
			}
			// Something may have arrived after the last look
			start();
		}

		synchronized boolean isBusy() {
			return this.busy;
		}

		void handOver() {
			List<PendingOutcome> rest = new ArrayList<>();
			synchronized (this) {
				if (!this.busy) {
					this.inHand.forEach((outcome) -> rest.add(outcome.sentOnce()));
					this.inHand.clear();
					this.unwritten = false;
				}
			}
			this.waiting.drainTo(rest);
			OutcomeLanes.this.syncer.takeOver(new OutcomeSender.Unsent(rest, null));
		}

		private void write(List<PendingOutcome> batch) {
			OutcomeSender.Unsent left = OutcomeLanes.this.sender.send(batch);
			if (left.reason() instanceof BrokerUnavailableException away) {
				OutcomeLanes.this.lanes.failed(this.name, away);
			}
			else {
				OutcomeLanes.this.lanes.answered(this.name);
			}
			OutcomeLanes.this.syncer.takeOver(left);
			this.full = false;
		}

		private boolean offerPatiently(PendingOutcome outcome) {
			try {
				return this.waiting.offer(outcome, PATIENCE.toNanos(), TimeUnit.NANOSECONDS);
			}
			catch (InterruptedException ex) {
				Thread.currentThread().interrupt();
				return false;
			}
		}

		private synchronized void ended() {
			this.busy = false;
		}

	}

}
