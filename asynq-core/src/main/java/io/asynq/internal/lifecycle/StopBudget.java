package io.asynq.internal.lifecycle;

import java.time.Duration;
import java.util.concurrent.ThreadFactory;
import java.util.function.Predicate;

import io.asynq.internal.text.OneLineLogger;
import org.slf4j.Logger;

/**
 * A Redis that does not answer costs a stop this time once, not once per component: each
 * may use half of what is left, so that one that hangs leaves time for the others, and a
 * share is reserved for outcomes, which are written late.
 */
public final class StopBudget {

	private static final Logger logger = OneLineLogger.of(StopBudget.class);

	/** The minimum for each wait; a clean stop rarely takes longer. */
	private static final Duration LEAST = Duration.ofMillis(50);

	private final Duration all;

	private final Duration loops;

	private final Duration outcomes;

	private final ThreadFactory threads;

	private long leftNanos;

	private long leftForLoopsNanos;

	private boolean told;

	/**
	 * @param loops how much of it may be spent on loops
	 * @param outcomes how much of it is reserved for outcomes
	 */
	public StopBudget(Duration all, Duration loops, Duration outcomes) {
		this(all, loops, outcomes, Thread::new);
	}

	public StopBudget(Duration all, Duration loops, Duration outcomes, ThreadFactory threads) {
		this.threads = threads;
		this.all = all;
		this.loops = loops;
		this.outcomes = outcomes;
		renew();
	}

	/** Called at each start, since a component stops once between two starts. */
	public synchronized void renew() {
		this.leftNanos = this.all.toNanos();
		this.leftForLoopsNanos = this.loops.toNanos();
		this.told = false;
	}

	/**
	 * @param wait waits no longer than it is told and returns whether it succeeded
	 */
	public boolean await(Predicate<Duration> wait) {
		return spend(wait, Share.CALLS);
	}

	public boolean end(String name, PeriodicRunner loop) {
		boolean ended = spend(loop::stop, Share.LOOPS);
		if (!ended) {
			logOnce(name, "hangs in a call and is abandoned");
		}
		return ended;
	}

	/** The action's thread is abandoned if it takes too long. */
	public boolean run(String name, Runnable action) {
		return run(name, action, Share.CALLS);
	}

	/** For outcomes and whatever must come after them: may use the reserved time. */
	public boolean runForOutcomes(String name, Runnable action) {
		return run(name, action, Share.OUTCOMES);
	}

	private boolean run(String name, Runnable action, Share share) {
		Thread thread = this.threads.newThread(
				() -> UserCode.run(action::run, (shown) -> logger.warn("{}: did not stop cleanly", name, shown)));
		thread.setName(name + "-stop");
		thread.setDaemon(true);
		try {
			thread.start();
		}
		catch (OutOfMemoryError ex) {
			// Run in this thread it might block for ever
			logger.warn("{}: did not stop cleanly, because no thread is available ({})", name, ex.getMessage());
			return false;
		}
		boolean ended = spend((timeout) -> join(thread, timeout), share);
		if (!ended) {
			logOnce(name, "got no answer from Redis in time; unfinished tasks are recovered when their leases expire");
		}
		return ended;
	}

	/** Waits even if the current thread is interrupted. */
	static boolean join(Thread thread, Duration timeout) {
		long end = System.nanoTime() + timeout.toNanos();
		boolean interrupted = false;
		long left = timeout.toNanos();
		while (thread.isAlive() && left > 0) {
			try {
				thread.join(left / 1_000_000, (int) (left % 1_000_000));
			}
			catch (InterruptedException ex) {
				interrupted = true;
			}
			left = end - System.nanoTime();
		}
		if (interrupted) {
			Thread.currentThread().interrupt();
		}
		return !thread.isAlive();
	}

	private boolean spend(Predicate<Duration> wait, Share share) {
		long start = System.nanoTime();
		try {
			return wait.test(left(share));
		}
		finally {
			spent(System.nanoTime() - start, share);
		}
	}

	private synchronized Duration left(Share share) {
		long common = this.leftNanos - this.outcomes.toNanos();
		long left = switch (share) {
			case LOOPS -> Math.min(this.leftForLoopsNanos, common);
			case CALLS -> common;
			case OUTCOMES -> this.leftNanos;
		};
		return Duration.ofNanos(Math.max(LEAST.toNanos(), left / 2));
	}

	/** When Redis does not answer, every component would log the same. */
	private synchronized void logOnce(String name, String what) {
		if (this.told) {
			logger.debug("{} {}", name, what);
		}
		else {
			logger.warn("The stop continues without {}, which {}; others may follow", name, what);
		}
		this.told = true;
	}

	private synchronized void spent(long nanos, Share share) {
		this.leftNanos -= nanos;
		this.leftForLoopsNanos -= (share == Share.LOOPS) ? nanos : 0;
	}

	private enum Share {

		LOOPS, CALLS, OUTCOMES

	}

}
