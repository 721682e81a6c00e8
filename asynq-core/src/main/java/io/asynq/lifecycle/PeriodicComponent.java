package io.asynq.lifecycle;

import java.time.Duration;
import java.util.Locale;
import java.util.concurrent.locks.ReentrantLock;

import org.springframework.context.SmartLifecycle;

/**
 * A component that is one loop: {@link #runOnce()} on a thread of its own between start
 * and stop. Starts again after a stop.
 */
public abstract class PeriodicComponent implements SmartLifecycle {

	private final ServerPhase phase;

	private final Loops loops;

	private final String name;

	private final PeriodicRunner runner;

	/** Held for a whole start or stop, so that whoever comes second finds it done. */
	private final ReentrantLock transition = new ReentrantLock();

	private volatile boolean running;

	/**
	 * Creates the component.
	 * @param phase when it starts and stops; also names its thread
	 * @param loops what it shares with others
	 */
	protected PeriodicComponent(ServerPhase phase, Loops loops) {
		this.phase = phase;
		this.name = "asynq-" + phase.name().toLowerCase(Locale.ROOT).replace('_', '-');
		this.loops = loops;
		// An application that does nothing but work on tasks lives as long as it takes
		// them
		this.runner = new PeriodicRunner(this.name, this::runOnce, loops.errors(), phase != ServerPhase.PROCESSOR);
	}

	/**
	 * Sets the longest pause after an error; for components that must not miss the moment
	 * when Redis is back.
	 * @param pause the pause, 3 s unless set
	 */
	protected final void longestPauseAfterError(Duration pause) {
		this.runner.longestPauseAfterError(pause);
	}

	/**
	 * Does the work once.
	 * @return how long to pause before the next run
	 * @throws Exception if it failed; it is logged and tried again later
	 */
	protected abstract Duration runOnce() throws Exception;

	/**
	 * Called before the loop starts; resets what the last run left.
	 */
	protected void starting() {
	}

	/**
	 * Called when the loop is to end, before it is waited for; ends what blocks it. What
	 * needs Redis for that says it with {@link #lastWords}.
	 */
	protected void stopping() {
	}

	/**
	 * Called after the loop has ended, or was left behind; the last chance to send what
	 * is left, with {@link #lastWords}.
	 */
	protected void stopped() {
	}

	/**
	 * Does something at a stop for which Redis is needed, as long as the stop may take.
	 * @param action what to do
	 */
	protected final void lastWords(Runnable action) {
		this.loops.stops().run(this.name, action);
	}

	/**
	 * Does as {@link #lastWords} what tells Redis of outcomes, or comes after these.
	 * @param action what to do
	 */
	protected final void lastOutcomes(Runnable action) {
		this.loops.stops().runForOutcomes(this.name, action);
	}

	/**
	 * Returns whether the loop is to go on with what takes long.
	 * @return {@code false} as soon as it is to stop
	 */
	protected final boolean goesOn() {
		return this.runner.isRunning();
	}

	/**
	 * Ends the present pause of the loop.
	 */
	public final void wake() {
		this.runner.wake();
	}

	@Override
	public final void start() {
		this.transition.lock();
		try {
			if (!this.running) {
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
	 * Returns whether it is started.
	 * @return {@code true} until it has stopped to the end
	 */
	@Override
	public final boolean isRunning() {
		return this.running;
	}

	@Override
	public final boolean isAutoStartup() {
		return this.loops.autoStartup().getAsBoolean();
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
