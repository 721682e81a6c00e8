package io.asynq.internal.lifecycle;

import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;

import io.asynq.inspect.LoopInfo;
import io.asynq.internal.text.OneLineLogger;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.springframework.util.backoff.BackOffExecution;
import org.springframework.util.backoff.ExponentialBackOff;

/**
 * An error does not end the loop: it is logged and followed by a growing pause.
 */
public final class PeriodicRunner {

	private static final Logger logger = OneLineLogger.of(PeriodicRunner.class);

	private static final Duration AFTER_SECOND_FAILURE = Duration.ofSeconds(1);

	/**
	 * Each call to Redis ends by its time-out, and a run notes each step, so one that has
	 * noted nothing for that long waits for something that may never come: a lock, a
	 * connection of an exhausted pool, or the application's code.
	 */
	static final Duration LONGEST_STEP = Duration.ofMinutes(1);

	private static final long RESTING = Long.MIN_VALUE;

	private final String name;

	private final Job job;

	private final LoopErrorLog errors;

	private final boolean daemon;

	private final Waker waker;

	private final ReentrantLock lock;

	private final Condition changed;

	private final ExponentialBackOff backOff = new ExponentialBackOff(100, 2);

	private @Nullable Thread thread;

	private volatile @Nullable BackOffExecution failing;

	private volatile @Nullable Failure failure;

	private volatile boolean askedNothing;

	private final LongSupplier nanoTime;

	private volatile long lastStep = RESTING;

	private volatile boolean watched = true;

	/** After a failure, when the first run was due that has failed. */
	private volatile long dueNanos;

	public PeriodicRunner(String name, Job job) {
		this(name, job, new LoopErrorLog(), true);
	}

	/**
	 * @param daemon {@code false} to keep the JVM alive while the runner is started
	 */
	public PeriodicRunner(String name, Job job, LoopErrorLog errors, boolean daemon) {
		this(name, job, errors, daemon, new Waker());
	}

	PeriodicRunner(String name, Job job, LoopErrorLog errors, boolean daemon, Waker waker) {
		this(name, job, errors, daemon, waker, System::nanoTime);
	}

	PeriodicRunner(String name, Job job, LoopErrorLog errors, boolean daemon, Waker waker, LongSupplier nanoTime) {
		this.nanoTime = nanoTime;
		this.waker = waker;
		this.lock = waker.lock;
		this.changed = waker.changed;
		this.name = name;
		this.job = job;
		this.errors = errors;
		this.daemon = daemon;
		this.backOff.setJitter(50);
		this.backOff.setMaxInterval(TimeUnit.SECONDS.toMillis(3));
	}

	/** Call it before the start. */
	void longestPauseAfterError(Duration pause) {
		this.backOff.setMaxInterval(Math.max(1, pause.toMillis()));
	}

	/** Call it before the start. */
	void expectEndlessRuns() {
		this.watched = false;
	}

	/** The end of this run does not show that earlier failures are over. */
	public void asksNothing() {
		this.askedNothing = true;
	}

	public void step() {
		this.lastStep = this.nanoTime.getAsLong();
	}

	public void start() {
		this.lock.lock();
		try {
			if (this.thread == null) {
				Thread runner = new Thread(this::loop, this.name);
				runner.setDaemon(this.daemon);
				this.waker.woken = false;
				this.failing = null;
				this.failure = null;
				this.dueNanos = System.nanoTime();
				this.lastStep = RESTING;
				this.thread = runner;
				try {
					runner.start();
				}
				catch (Throwable ex) {
					this.thread = null;
					throw ex;
				}
			}
		}
		finally {
			this.lock.unlock();
		}
	}

	/** Lets the current run finish, and returns whether the thread has ended in time. */
	public boolean stop(Duration timeout) {
		Thread stopping;
		this.lock.lock();
		try {
			stopping = this.thread;
			this.thread = null;
			this.changed.signalAll();
		}
		finally {
			this.lock.unlock();
		}
		if (stopping == null || stopping == Thread.currentThread()) {
			return true;
		}
		return StopBudget.join(stopping, timeout);
	}

	/** During a run the next pause is skipped; one after an error is not shortened. */
	public void wake() {
		this.waker.wake();
	}

	public boolean isRunning() {
		this.lock.lock();
		try {
			return this.thread != null;
		}
		finally {
			this.lock.unlock();
		}
	}

	public LoopInfo info(Instant now) {
		Failure present = this.failure;
		Instant stalledSince = (this.watched && isRunning()) ? stalledSince(now) : null;
		return (present != null)
				? new LoopInfo(this.name, isDead(), present.error(),
						now.minusNanos(System.nanoTime() - present.sinceNanos()), stalledSince)
				: new LoopInfo(this.name, isDead(), null, null, stalledSince);
	}

	/**
	 * How long a run has been due, also if it fails or the thread has died: zero during a
	 * pause, {@code null} unless started.
	 */
	public @Nullable Duration lag() {
		return isRunning() ? Duration.ofNanos(Math.max(0, System.nanoTime() - this.dueNanos)) : null;
	}

	/** Returns when a run that hangs has got on last, {@code null} if none hangs. */
	private @Nullable Instant stalledSince(Instant now) {
		long last = this.lastStep;
		long ago = this.nanoTime.getAsLong() - last;
		return (last != RESTING && ago > LONGEST_STEP.toNanos()) ? now.minusNanos(ago) : null;
	}

	private boolean isDead() {
		this.lock.lock();
		try {
			return this.thread != null && !this.thread.isAlive();
		}
		finally {
			this.lock.unlock();
		}
	}

	private void loop() {
		while (isCurrent()) {
			step();
			Failure before = this.failure;
			Duration pause = runOnce();
			this.lastStep = RESTING;
			awaitNext(pause, this.failure != null && this.failure != before);
		}
	}

	private Duration runOnce() {
		try {
			this.askedNothing = false;
			Duration pause = this.job.run();
			if (!this.askedNothing) {
				works();
			}
			return pause;
		}
		catch (Throwable ex) {
			return survive(ex);
		}
	}

	private Duration survive(Throwable ex) {
		try {
			if (ex instanceof VirtualMachineError && !(ex instanceof StackOverflowError)) {
				UserCode.uncaught(ex);
			}
			return failed(ex);
		}
		catch (Throwable again) {
			// Where memory has run out, logging may need some as well
			return AFTER_SECOND_FAILURE;
		}
	}

	/**
	 * Says from any thread that failures are over, for a run that listens without end.
	 */
	void works() {
		if (this.failing != null) {
			this.failing = null;
			this.failure = null;
			this.errors.over(this.name);
			logger.info("{}: works again", this.name);
		}
	}

	private Duration failed(Throwable ex) {
		BackOffExecution present = this.failing;
		BackOffExecution execution = (present != null) ? present : this.backOff.start();
		this.failing = execution;
		Failure before = this.failure;
		this.failure = new Failure((before != null) ? before.sinceNanos() : System.nanoTime(), LoopErrorLog.text(ex));
		if (isCurrent()) {
			this.errors.warn(this.name, ex);
		}
		return Duration.ofMillis(execution.nextBackOff());
	}

	private boolean isCurrent() {
		this.lock.lock();
		try {
			return this.thread == Thread.currentThread();
		}
		finally {
			this.lock.unlock();
		}
	}

	private void awaitNext(Duration pause, boolean fails) {
		// A loop is ended by stop(), never by an interrupt
		Thread.interrupted();
		long nanos = (pause.compareTo(Duration.ofDays(1)) < 0) ? pause.toNanos() : TimeUnit.DAYS.toNanos(1);
		long due = System.nanoTime() + Math.max(0, nanos);
		this.dueNanos = fails ? this.dueNanos : due;
		this.lock.lock();
		try {
			while (nanos > 0 && this.thread == Thread.currentThread() && (!this.waker.woken || fails)) {
				nanos = this.changed.awaitNanos(nanos);
			}
			if (nanos > 0 && !fails) {
				this.dueNanos = System.nanoTime();
			}
			this.waker.woken = false;
		}
		catch (InterruptedException ex) {
			logger.debug("{}: interrupted while it paused", this.name);
		}
		finally {
			this.lock.unlock();
		}
	}

	private record Failure(long sinceNanos, String error) {
	}

	@FunctionalInterface
	public interface Job {

		/**
		 * @return how long to pause before the next run; zero or less for no pause
		 * @throws Exception if it failed; the runner logs it and retries later
		 */
		Duration run() throws Exception;

	}

}
