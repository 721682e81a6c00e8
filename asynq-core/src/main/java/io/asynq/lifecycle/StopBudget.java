package io.asynq.lifecycle;

import java.time.Duration;
import java.util.concurrent.ThreadFactory;
import java.util.function.Predicate;

import io.asynq.logging.OneLineLogger;
import org.slf4j.Logger;

/**
 * How long all parts that stop one after the other may wait together: for loops that hang
 * in a call, and for what is yet to be told to Redis. A Redis that does not answer costs
 * that time once, not once per part. Each part may take half of what is left, so that one
 * that hangs, as with one node of a cluster, leaves time for the others; and a share is
 * kept for outcomes, which come late. Safe for concurrent use.
 */
public final class StopBudget {

	private static final Logger logger = OneLineLogger.of(StopBudget.class);

	/**
	 * What ends in order takes no longer on most machines, and may take as long always.
	 */
	private static final Duration LEAST = Duration.ofMillis(50);

	private final Duration all;

	private final Duration loops;

	private final Duration outcomes;

	private final ThreadFactory threads;

	private long leftNanos;

	private long leftForLoopsNanos;

	private boolean told;

	/**
	 * Creates the budget.
	 * @param all for how long may be waited
	 * @param loops for how long of it for loops; the rest is for last words only
	 * @param outcomes for how long of it for nothing but outcomes
	 */
	public StopBudget(Duration all, Duration loops, Duration outcomes) {
		this(all, loops, outcomes, Thread::new);
	}

	StopBudget(Duration all, Duration loops, Duration outcomes, ThreadFactory threads) {
		this.threads = threads;
		this.all = all;
		this.loops = loops;
		this.outcomes = outcomes;
		renew();
	}

	/**
	 * Has a whole budget for the next stop. Whatever starts does so: between two starts a
	 * part stops once.
	 */
	public synchronized void renew() {
		this.leftNanos = this.all.toNanos();
		this.leftForLoopsNanos = this.loops.toNanos();
		this.told = false;
	}

	/**
	 * Waits for something.
	 * @param wait waits no longer than it is told and returns whether it came
	 * @return whether it came
	 */
	public boolean await(Predicate<Duration> wait) {
		return spend(wait, Share.WORDS);
	}

	/**
	 * Ends a loop, or leaves it behind if it hangs in a call.
	 * @param name whose loop it is
	 * @param loop the loop
	 * @return whether its thread has ended
	 */
	public boolean end(String name, PeriodicRunner loop) {
		boolean ended = spend(loop::stop, Share.LOOPS);
		if (!ended) {
			tellOnce(name, "hangs in a call and is left behind");
		}
		return ended;
	}

	/**
	 * Does something for which Redis may be needed, on a thread that is left behind if it
	 * takes too long.
	 * @param name who does it
	 * @param lastWords what is to be done
	 * @return whether it was done
	 */
	public boolean run(String name, Runnable lastWords) {
		return run(name, lastWords, Share.WORDS);
	}

	/**
	 * Does as {@link #run} what tells Redis of outcomes, or comes after these: it may use
	 * the time that is kept for them.
	 * @param name who does it
	 * @param lastWords what is to be done
	 * @return whether it was done
	 */
	public boolean runForOutcomes(String name, Runnable lastWords) {
		return run(name, lastWords, Share.OUTCOMES);
	}

	private boolean run(String name, Runnable lastWords, Share share) {
		Thread thread = this.threads.newThread(
				() -> UserCode.run(lastWords::run, (shown) -> logger.warn("{}: could not end in order", name, shown)));
		thread.setName(name + "-stop");
		thread.setDaemon(true);
		try {
			thread.start();
		}
		catch (OutOfMemoryError ex) {
			// In this thread it might take for ever
			logger.warn("{}: could not end in order, because there is no thread for that ({})", name, ex.getMessage());
			return false;
		}
		boolean ended = spend((timeout) -> join(thread, timeout), share);
		if (!ended) {
			tellOnce(name,
					"had no answer of Redis in time; what Redis was not told is recovered when leases have ended");
		}
		return ended;
	}

	/**
	 * Waits for a thread's end, whoever interrupts this one.
	 * @param thread the thread
	 * @param timeout how long at most
	 * @return whether it has ended
	 */
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
			case WORDS -> common;
			case OUTCOMES -> this.leftNanos;
		};
		return Duration.ofNanos(Math.max(LEAST.toNanos(), left / 2));
	}

	/**
	 * Where Redis does not answer, all parts would say the same.
	 */
	private synchronized void tellOnce(String name, String what) {
		if (this.told) {
			logger.debug("{} {}", name, what);
		}
		else {
			logger.warn("The stop goes on without {}, which {}; so it may with others", name, what);
		}
		this.told = true;
	}

	private synchronized void spent(long nanos, Share share) {
		this.leftNanos -= nanos;
		this.leftForLoopsNanos -= (share == Share.LOOPS) ? nanos : 0;
	}

	private enum Share {

		LOOPS, WORDS, OUTCOMES

	}

}
