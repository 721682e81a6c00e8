package io.asynq.lifecycle;

import java.time.Duration;
import java.time.Instant;
import java.util.Locale;
import java.util.concurrent.locks.ReentrantLock;

import io.asynq.info.LoopInfo;
import org.jspecify.annotations.Nullable;

import org.springframework.context.SmartLifecycle;

/**
 * A component that runs {@link #runOnce()} in a loop, on a thread of its own, between
 * start and stop. It can be started again after a stop.
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

	/**
	 * Sets the longest pause after an error (default 3 s), for components that must
	 * notice at once when Redis is back.
	 */
	protected final void longestPauseAfterError(Duration pause) {
		this.runner.longestPauseAfterError(pause);
	}

	/**
	 * Says that runs may last as long as the loop, because each waits for messages. What
	 * waits must notice by itself if none can come any more.
	 */
	protected final void expectEndlessRuns() {
		this.runner.expectEndlessRuns();
	}

	/**
	 * Says, during an endless run, that it succeeds, so that earlier failures are over.
	 */
	protected final void works() {
		this.runner.works();
	}

	/**
	 * Says that this run has nothing to ask, so that its end is no success.
	 */
	protected final void asksNothing() {
		this.runner.asksNothing();
	}

	/**
	 * Does the work once.
	 * @return how long to pause before the next run
	 * @throws Exception if it failed; the error is logged and the work retried later
	 */
	protected abstract Duration runOnce() throws Exception;

	/**
	 * Called before the loop starts. Resets the state of the previous run.
	 */
	protected void starting() {
	}

	/**
	 * Called before the loop is asked to end. Unblocks the loop. Calls to Redis go
	 * through {@link #runAtStop}.
	 */
	protected void stopping() {
	}

	/**
	 * Called after the loop has ended or was abandoned: the last chance to send what is
	 * left, through {@link #runAtStopForOutcomes}.
	 */
	protected void stopped() {
	}

	/**
	 * Runs a last action that needs Redis, within the time that the stop has left.
	 */
	protected final void runAtStop(Runnable action) {
		this.loops.stops().run(this.name, action);
	}

	/**
	 * Like {@link #runAtStop}, for writing outcomes and whatever must come after them.
	 */
	protected final void runAtStopForOutcomes(Runnable action) {
		this.loops.stops().runForOutcomes(this.name, action);
	}

	/**
	 * Returns whether a long run should continue: {@code false} as soon as the component
	 * is asked to stop. Asked after each step, it also notes that the run gets on.
	 */
	protected final boolean shouldContinue() {
		this.runner.step();
		return this.runner.isRunning();
	}

	/**
	 * Ends the present pause of the loop.
	 */
	public final void wake() {
		this.runner.wake();
	}

	/**
	 * Returns for how long a run has been due and is not done.
	 * @return zero during a pause; {@code null} unless the loop is running
	 */
	public final @Nullable Duration lag() {
		return this.runner.lag();
	}

	/**
	 * Describes the loop.
	 */
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

	/**
	 * Stops without waiting.
	 * @param callback called when the component has stopped
	 */
	@Override
	public final void stop(Runnable callback) {
		AsyncStop.run(this.name, this::stop, callback);
	}

	/**
	 * Returns whether the component is started: {@code true} until it has stopped
	 * completely.
	 */
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
