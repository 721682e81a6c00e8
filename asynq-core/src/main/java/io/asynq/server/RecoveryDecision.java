package io.asynq.server;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReferenceArray;

import io.asynq.LeaseExpiredException;
import io.asynq.broker.LeasedTask;
import io.asynq.broker.Outcome;
import io.asynq.logging.OneLineLogger;
import org.slf4j.Logger;

/**
 * Decides what becomes of tasks whose leases were lost. Users' policies are asked in a
 * thread of their own: where they do not return, asynq's defaults hold, and as long as
 * they hang they are asked nothing more. Safe for concurrent use.
 */
final class RecoveryDecision {

	private static final Logger logger = OneLineLogger.of(RecoveryDecision.class);

	private final FailureDecision decision;

	private final Duration patience;

	private final Set<Asking> underWay = ConcurrentHashMap.newKeySet();

	private final Set<Thread> leftBehind = ConcurrentHashMap.newKeySet();

	/**
	 * Creates it.
	 * @param decision asks the policies
	 * @param patience how long they may take for all tasks of a call
	 */
	RecoveryDecision(FailureDecision decision, Duration patience) {
		this.decision = decision;
		this.patience = patience;
	}

	/**
	 * Decides.
	 * @param tasks tasks whose leases were lost
	 * @return one outcome for each, in their order
	 */
	List<Outcome> decide(List<LeasedTask> tasks) {
		Asking asking = new Asking(tasks);
		this.leftBehind.removeIf((thread) -> !thread.isAlive());
		if (!tasks.isEmpty() && this.leftBehind.isEmpty()) {
			await(asking);
		}
		List<Outcome> outcomes = new ArrayList<>(tasks.size());
		for (int i = 0; i < tasks.size(); i++) {
			Outcome decided = asking.decided.get(i);
			outcomes.add(
					(decided != null) ? decided : this.decision.decideAlone(tasks.get(i), new LeaseExpiredException()));
		}
		return outcomes;
	}

	/**
	 * Waits for no policy any more that is being asked.
	 */
	void end() {
		this.underWay.forEach((asking) -> asking.over.countDown());
	}

	private void await(Asking asking) {
		Thread thread = new Thread(asking, "asynq-recoverer-policies");
		thread.setDaemon(true);
		this.underWay.add(asking);
		try {
			thread.start();
			asking.over.await(this.patience.toNanos(), TimeUnit.NANOSECONDS);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
		finally {
			this.underWay.remove(asking);
		}
		if (!asking.returned) {
			asking.givenUp = true;
			leaveBehind(thread);
		}
	}

	private void leaveBehind(Thread thread) {
		Exception stack = new Exception("where it is");
		stack.setStackTrace(thread.getStackTrace());
		logger
			.warn("The RetryDelayPolicy or FailurePredicate was asked about recovered tasks and has not returned within"
					+ " {}, or before a stop: it is interrupted, and until it returns asynq's defaults hold for them",
					this.patience, stack);
		this.leftBehind.add(thread);
		thread.interrupt();
	}

	/**
	 * Asks for one task after the other.
	 */
	private final class Asking implements Runnable {

		private final List<LeasedTask> tasks;

		private final AtomicReferenceArray<Outcome> decided;

		private final CountDownLatch over = new CountDownLatch(1);

		private volatile boolean returned;

		private volatile boolean givenUp;

		Asking(List<LeasedTask> tasks) {
			this.tasks = tasks;
			this.decided = new AtomicReferenceArray<>(tasks.size());
		}

		@Override
		public void run() {
			try {
				for (int i = 0; i < this.tasks.size() && !this.givenUp; i++) {
					this.decided.set(i,
							RecoveryDecision.this.decision.decide(this.tasks.get(i), new LeaseExpiredException()));
				}
			}
			finally {
				this.returned = true;
				this.over.countDown();
			}
		}

	}

}
