package io.asynq.lifecycle;

import java.time.Duration;
import java.util.Locale;
import java.util.function.BooleanSupplier;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.context.SmartLifecycle;

/**
 * A component that is one loop: {@link #runOnce()} on a thread of its own between start
 * and stop. Starts again after a stop.
 */
public abstract class PeriodicComponent implements SmartLifecycle {

	private static final Logger logger = LoggerFactory.getLogger(PeriodicComponent.class);

	private static final Duration STOP_TIMEOUT = Duration.ofSeconds(5);

	private final ServerPhase phase;

	private final BooleanSupplier autoStartup;

	private final String name;

	private final PeriodicRunner runner;

	/**
	 * Creates the component.
	 * @param phase when it starts and stops; also names its thread
	 * @param autoStartup whether it starts with the application context; asked when that
	 * starts
	 * @param errors where errors of the loop are logged
	 */
	protected PeriodicComponent(ServerPhase phase, BooleanSupplier autoStartup, LoopErrorLog errors) {
		this.phase = phase;
		this.autoStartup = autoStartup;
		this.name = "asynq-" + phase.name().toLowerCase(Locale.ROOT).replace('_', '-');
		// An application that does nothing but work on tasks lives as long as it takes
		// them
		this.runner = new PeriodicRunner(this.name, this::runOnce, errors, phase != ServerPhase.PROCESSOR);
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
	 * Called when the loop is to end, before it is waited for; ends what blocks it.
	 */
	protected void stopping() {
	}

	/**
	 * Called after the loop has ended; the last chance to send what is left.
	 */
	protected void stopped() {
	}

	/**
	 * Ends the present pause of the loop.
	 */
	public final void wake() {
		this.runner.wake();
	}

	@Override
	public final void start() {
		if (!this.runner.isRunning()) {
			starting();
			this.runner.start();
		}
	}

	@Override
	public final void stop() {
		if (!this.runner.isRunning()) {
			return;
		}
		stopping();
		if (!this.runner.stop(STOP_TIMEOUT)) {
			logger.warn("{}: did not end within {} s, left behind", this.name, STOP_TIMEOUT.toSeconds());
		}
		stopped();
	}

	@Override
	public final boolean isRunning() {
		return this.runner.isRunning();
	}

	@Override
	public final boolean isAutoStartup() {
		return this.autoStartup.getAsBoolean();
	}

	@Override
	public final int getPhase() {
		return this.phase.value();
	}

}
