package io.asynq.lifecycle;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

import io.asynq.logging.OneLineLogger;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;

import org.springframework.util.backoff.BackOffExecution;
import org.springframework.util.backoff.ExponentialBackOff;

/**
 * Runs one job again and again on a thread of its own: as long as it is started, after
 * the delay the job asks for, or sooner when woken. An error does not end it: it is
 * logged, at most once every three seconds, and followed by a growing pause. May be
 * started again after a stop. Safe for concurrent use.
 */
public final class PeriodicRunner {

	private static final Logger logger = OneLineLogger.of(PeriodicRunner.class);

	private final String name;

	private final Job job;

	private final LoopErrorLog errors;

	private final boolean daemon;

	private final ReentrantLock lock = new ReentrantLock();

	private final Condition changed = this.lock.newCondition();

	private final ExponentialBackOff backOff = new ExponentialBackOff(100, 2);

	private @Nullable Thread thread;

	private boolean woken;

	private @Nullable BackOffExecution failing;

	/**
	 * Creates a runner with a daemon thread and an error log of its own.
	 * @param name the thread's name and the subject of log lines
	 * @param job what to run
	 */
	public PeriodicRunner(String name, Job job) {
		this(name, job, new LoopErrorLog(), true);
	}

	/**
	 * Creates a runner.
	 * @param name the thread's name and the subject of log lines
	 * @param job what to run
	 * @param errors where errors are logged
	 * @param daemon whether the JVM may end while the runner is started
	 */
	public PeriodicRunner(String name, Job job, LoopErrorLog errors, boolean daemon) {
		this.name = name;
		this.job = job;
		this.errors = errors;
		this.daemon = daemon;
		this.backOff.setJitter(50);
		this.backOff.setMaxInterval(TimeUnit.SECONDS.toMillis(3));
	}

	/**
	 * Sets the longest pause after an error; to be called before the start.
	 * @param pause the pause, 3 s unless set
	 */
	void longestPauseAfterError(Duration pause) {
		this.backOff.setMaxInterval(Math.max(1, pause.toMillis()));
	}

	/**
	 * Starts the thread; the first run follows at once. Does nothing if it runs already.
	 */
	public void start() {
		this.lock.lock();
		try {
			if (this.thread == null) {
				Thread runner = new Thread(this::loop, this.name);
				runner.setDaemon(this.daemon);
				this.woken = false;
				this.failing = null;
				this.thread = runner;
				boolean started = false;
				try {
					runner.start();
					started = true;
				}
				finally {
					this.thread = started ? runner : null;
				}
			}
		}
		finally {
			this.lock.unlock();
		}
	}

	/**
	 * Lets a run in progress end and ends the thread. Returns when it has ended or the
	 * time is over.
	 * @param timeout how long to wait
	 * @return whether the thread has ended
	 */
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

	/**
	 * Ends the present pause, or lets no pause follow the present run. A pause after an
	 * error is not ended.
	 */
	public void wake() {
		this.lock.lock();
		try {
			this.woken = true;
			this.changed.signalAll();
		}
		finally {
			this.lock.unlock();
		}
	}

	/**
	 * Returns whether the runner is started.
	 * @return {@code true} between start and stop
	 */
	public boolean isRunning() {
		this.lock.lock();
		try {
			return this.thread != null;
		}
		finally {
			this.lock.unlock();
		}
	}

	private void loop() {
		while (isCurrent()) {
			Duration pause = runOnce();
			awaitNext(pause);
		}
	}

	private Duration runOnce() {
		try {
			Duration pause = this.job.run();
			recovered();
			return pause;
		}
		catch (Throwable ex) {
			if (ex instanceof VirtualMachineError && !(ex instanceof StackOverflowError)) {
				// Not ours to hide, but the loop must be there when memory is
				Thread present = Thread.currentThread();
				UserCode.run(() -> present.getUncaughtExceptionHandler().uncaughtException(present, ex),
						(shown) -> logger.error("{}: the thread's uncaught exception handler failed", this.name,
								shown));
			}
			return failed(ex);
		}
	}

	private void recovered() {
		if (this.failing != null) {
			this.failing = null;
			logger.info("{}: works again", this.name);
		}
	}

	private Duration failed(Throwable ex) {
		BackOffExecution execution = (this.failing != null) ? this.failing : this.backOff.start();
		this.failing = execution;
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

	private void awaitNext(Duration pause) {
		// An interrupt is nobody's way of ending a loop: stop() is
		Thread.interrupted();
		long nanos = (pause.compareTo(Duration.ofDays(1)) < 0) ? pause.toNanos() : TimeUnit.DAYS.toNanos(1);
		this.lock.lock();
		try {
			while (nanos > 0 && this.thread == Thread.currentThread() && (!this.woken || this.failing != null)) {
				nanos = this.changed.awaitNanos(nanos);
			}
			this.woken = false;
		}
		catch (InterruptedException ex) {
			logger.debug("{}: interrupted while it paused", this.name);
		}
		finally {
			this.lock.unlock();
		}
	}

	/**
	 * What a {@link PeriodicRunner} runs.
	 */
	@FunctionalInterface
	public interface Job {

		/**
		 * Does the work once.
		 * @return how long to pause before the next run; zero or less for no pause
		 * @throws Exception if it failed; the runner logs it and tries again later
		 */
		Duration run() throws Exception;

	}

}
