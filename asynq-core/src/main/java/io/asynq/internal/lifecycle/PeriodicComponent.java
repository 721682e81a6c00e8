package io.asynq.internal.lifecycle;

import java.time.Duration;
import java.time.Instant;
import java.util.Locale;
import java.util.concurrent.locks.ReentrantLock;

import io.asynq.inspect.LoopInfo;
import org.jspecify.annotations.Nullable;
import org.springframework.context.SmartLifecycle;

/**
 * A component that runs {@link #runOnce()} in a loop, on a thread of its own, between
 * start and stop; it can be started again.
 */
public abstract class PeriodicComponent implements SmartLifecycle {

	private final ServerPhase phase;

	private final Loops loops;

	private final String name;

	private final PeriodicRunner runner;

	/** Held for a whole start or stop, so that a second caller finds it completed. */
	private final ReentrantLock transition = new ReentrantLock();

	private volatile boolean running;

	/**
	 * @param phase when the component starts and stops; also names its thread
	 */
	protected PeriodicComponent(ServerPhase phase, Loops loops) {
		this.phase = phase;
		this.name = "asynq-" + phase.name().toLowerCase(Locale.ROOT).replace('_', '-');
		this.loops = loops;
		// A worker-only application must stay alive as long as it takes tasks
		this.runner = new PeriodicRunner(this.name, this::runOnce, loops.errors(), phase != ServerPhase.PROCESSOR,
				loops.waker(phase));
	}

	/** For components that must notice at once when Redis is back (default 3 s). */
	protected final void longestPauseAfterError(Duration pause) {
		this.runner.longestPauseAfterError(pause);
	}

	/**
	 * Each run waits for messages, and must notice by itself if none can come any more.
	 */
	protected final void expectEndlessRuns() {
		this.runner.expectEndlessRuns();
	}

	/** Says, during an endless run, that earlier failures are over. */
	protected final void works() {
		this.runner.works();
	}

	/** The end of this run is no success. */
	protected final void asksNothing() {
		this.runner.asksNothing();
	}

	/**
	 * @return how long to pause before the next run
	 * @throws Exception if it failed; the error is logged and the work retried later
	 */
	protected abstract Duration runOnce() throws Exception;

	/** Called before the loop starts, to reset the state of the previous run. */
	protected void starting() {
	}

	/** Called before the loop is asked to end; calls Redis through {@link #runAtStop}. */
	protected void stopping() {
	}

	/** The last chance to send what is left, through {@link #runAtStopForOutcomes}. */
	protected void stopped() {
	}

	/** Runs a last action that needs Redis, within the time that the stop has left. */
	protected final void runAtStop(Runnable action) {
		this.loops.stops().run(this.name, action);
	}

	/** Like {@link #runAtStop}, for outcomes and whatever must come after them. */
	protected final void runAtStopForOutcomes(Runnable action) {
		this.loops.stops().runForOutcomes(this.name, action);
	}

	/** Asked after each step of a long run, this also notes that the run gets on. */
	protected final boolean shouldContinue() {
		this.runner.step();
		return this.runner.isRunning();
	}

	public final void wake() {
		this.runner.wake();
	}

	/** Zero during a pause, {@code null} unless the loop is running. */
	public final @Nullable Duration lag() {
		return this.runner.lag();
	}

	public final LoopInfo loop(Instant now) {
		return this.runner.info(now);
	}

	@Override
	public final void start() {
		this.transition.lock();
		try {
			if (!this.running && this.loops.mayStart(this.phase)) {
				this.loops.stops().renew();
				starting();
				this.runner.start();
				this.running = true;
			}
		}
		finally {
			this.transition.unlock();
		}
	}

	@Override
	public final void stop() {
		this.transition.lock();
		try {
			if (this.running) {
				end();
			}
		}
		finally {
			this.transition.unlock();
		}
	}

	@Override
	public final void stop(Runnable callback) {
		AsyncStop.run(this.name, this::stop, callback);
	}

	/** Returns {@code true} until the component has stopped completely. */
	@Override
	public final boolean isRunning() {
		return this.running;
	}

	@Override
	public final boolean isAutoStartup() {
		return this.loops.isAutoStartup();
	}

	@Override
	public final int getPhase() {
		return this.phase.value();
	}

	private void end() {
		try {
			stopping();
			this.loops.stops().end(this.name, this.runner);
			stopped();
		}
		finally {
			this.running = false;
		}
	}

}
