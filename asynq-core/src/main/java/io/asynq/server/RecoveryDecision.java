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
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;

/**
 * Decides what becomes of tasks whose leases were lost. Users' policies are asked in a
 * thread of their own: where they do not return, asynq's defaults hold, and they are
 * asked nothing more as long as they hang, and for a while after that. Safe for
 * concurrent use.
 */
final class RecoveryDecision {

	private static final Logger logger = OneLineLogger.of(RecoveryDecision.class);

	/** Else each batch would wait for policies that hang until they are interrupted. */
	private static final Duration REST = Duration.ofMinutes(1);

	private final FailureDecision decision;

	private final Duration patience;

	private final Set<Asking> underWay = ConcurrentHashMap.newKeySet();

	private final Set<Thread> leftBehind = ConcurrentHashMap.newKeySet();

	private volatile @Nullable Long gaveUpNanos;

	private volatile boolean ended;

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
	 * Has policies asked again after {@link #end()}.
	 */
	void start() {
		this.gaveUpNanos = null;
		this.ended = false;
	}

	/**
	 * Decides.
	 * @param tasks tasks whose leases were lost
	 * @return their outcomes, in their order; without those that a stop has kept from
	 * being decided
	 */
	List<Outcome> decide(List<LeasedTask> tasks) {
		Asking asking = new Asking(tasks);
		this.leftBehind.removeIf((thread) -> !thread.isAlive());
		if (!tasks.isEmpty() && this.leftBehind.isEmpty() && !rests()) {
			await(asking);
		}
		boolean leftToOthers = this.ended && !asking.stops;
		List<Outcome> outcomes = new ArrayList<>(tasks.size());
		for (int i = 0; i < tasks.size(); i++) {
			Outcome decided = asking.decided.get(i);
			if (decided != null) {
				outcomes.add(decided);
			}
			else if (!leftToOthers) {
				outcomes.add(this.decision.decideAlone(tasks.get(i), new LeaseExpiredException()));
			}
		}
		return outcomes;
	}

	/**
	 * Asks no policy any more, and waits for none that is being asked.
	 */
	void end() {
		this.ended = true;
		this.underWay.forEach((asking) -> asking.over.countDown());
	}

	private boolean rests() {
		Long gaveUp = this.gaveUpNanos;
		return gaveUp != null && System.nanoTime() - gaveUp < REST.toNanos();
	}

	private void await(Asking asking) {
		Thread thread = new Thread(asking, "asynq-recoverer-policies");
		thread.setDaemon(true);
		this.underWay.add(asking);
		try {
			if (this.ended) {
				return;
			}
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
			leaveBehind(asking, thread);
		}
	}

	private void leaveBehind(Asking asking, Thread thread) {
		this.leftBehind.add(thread);
		// Left to others it would stop these, too
		asking.stops = StopCause.isIn(thread);
		if (asking.stops) {
			return;
		}
		if (!this.ended) {
			this.gaveUpNanos = System.nanoTime();
			warn(thread);
		}
		thread.interrupt();
	}

	private void warn(Thread thread) {
		Exception stack = new Exception("where it is");
		stack.setStackTrace(thread.getStackTrace());
		logger.warn(
				"The RetryDelayPolicy or FailurePredicate was asked about recovered tasks and has not returned within"
						+ " {}: it is interrupted, and until it returns, and for {}, asynq's defaults hold for them",
				this.patience, REST, stack);
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

		/** Whether what is being asked has caused the present stop. */
		private boolean stops;

		Asking(List<LeasedTask> tasks) {
			this.tasks = tasks;
			this.decided = new AtomicReferenceArray<>(tasks.size());
		}

		@Override
		public void run() {
			try {
				for (int i = 0; i < this.tasks.size() && !this.givenUp; i++) {
					Outcome outcome = RecoveryDecision.this.decision.decide(this.tasks.get(i),
							new LeaseExpiredException());
					if (!this.givenUp) {
						this.decided.set(i, outcome);
					}
				}
			}
			finally {
				this.returned = true;
				this.over.countDown();
			}
		}

	}

}
