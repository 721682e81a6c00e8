package io.asynq.internal.worker;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReferenceArray;

import io.asynq.handler.LeaseExpiredException;
import io.asynq.internal.text.OneLineLogger;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;

/**
 * If the user's policies do not return, asynq's defaults apply, and the policies are not
 * called again while they hang and for a while after.
 */
public final class RecoveryDecision {

	private static final Logger logger = OneLineLogger.of(RecoveryDecision.class);

	/** Otherwise each batch would wait for policies that hang. */
	private static final Duration REST = Duration.ofMinutes(1);

	private final Decision decision;

	private final Duration patience;

	private final Set<Asking> underWay = ConcurrentHashMap.newKeySet();

	private final Set<Thread> leftBehind = ConcurrentHashMap.newKeySet();

	private volatile @Nullable Long gaveUpNanos;

	private volatile boolean ended;

	public RecoveryDecision(Decision decision, Duration patience) {
		this.decision = decision;
		this.patience = patience;
	}

	void start() {
		this.gaveUpNanos = null;
		this.ended = false;
	}

	/** Leaves out tasks that a stop has kept from being decided. */
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
		// Another server would be stopped by them as well
		asking.stops = UserThread.isInStop(thread);
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
		logger.warn(
				"The RetryDelayPolicy or FailurePredicate was called for recovered tasks and has not returned within {}:"
						+ " it is interrupted, and asynq's defaults apply to recovered tasks until it returns and for {}",
				this.patience, REST, UserThread.where("it", thread));
	}

	private final class Asking implements Runnable {

		private final List<LeasedTask> tasks;

		private final AtomicReferenceArray<Outcome> decided;

		private final CountDownLatch over = new CountDownLatch(1);

		private volatile boolean returned;

		private volatile boolean givenUp;

		/** Whether the policy has caused the current stop. */
		private boolean stops;

		Asking(List<LeasedTask> tasks) {
			this.tasks = tasks;
			this.decided = new AtomicReferenceArray<>(tasks.size());
		}

		@Override
		public void run() {
			try {
				for (int i = 0; i < this.tasks.size() && !this.givenUp; i++) {
					TaskMdc.put(this.tasks.get(i).message());
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
