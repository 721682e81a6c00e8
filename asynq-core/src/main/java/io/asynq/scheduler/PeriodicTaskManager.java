package io.asynq.scheduler;

import java.time.Duration;
import java.util.List;

import io.asynq.lifecycle.PeriodicRunner;
import io.asynq.lifecycle.ServerPhase;

import org.springframework.context.SmartLifecycle;

/**
 * Asks {@link PeriodicTaskProvider providers} again and again which periodic tasks there
 * are, and tells the scheduler (asynq N01–N08). A provider that fails, at the start or
 * later, leaves what there is; it is asked again after ten seconds at the latest. Starts
 * again after a stop.
 */
public final class PeriodicTaskManager implements SmartLifecycle {

	private static final Duration AFTER_ERROR = Duration.ofSeconds(10);

	private static final Duration STOP_TIMEOUT = Duration.ofSeconds(5);

	private final List<ProviderSync> providers;

	private final Duration interval;

	private final PeriodicRunner runner = new PeriodicRunner("asynq-periodic-task-manager", this::sync);

	private volatile boolean running;

	/**
	 * Creates the manager.
	 * @param scheduler gets the entries
	 * @param providers say which there are
	 * @param options settings
	 */
	public PeriodicTaskManager(AsynqScheduler scheduler, List<PeriodicTaskProvider> providers,
			SchedulerOptions options) {
		this.providers = providers.stream().map((provider) -> new ProviderSync(scheduler, provider)).toList();
		this.interval = options.syncInterval();
	}

	@Override
	public void start() {
		this.running = true;
		if (!this.providers.isEmpty()) {
			this.runner.start();
		}
	}

	@Override
	public void stop() {
		this.running = false;
		this.runner.stop(STOP_TIMEOUT);
	}

	@Override
	public boolean isRunning() {
		return this.running;
	}

	@Override
	public int getPhase() {
		return ServerPhase.SCHEDULER.value();
	}

	/**
	 * Asks the providers now instead of at the end of the interval.
	 */
	public void wake() {
		this.runner.wake();
	}

	private Duration sync() {
		boolean all = true;
		for (ProviderSync provider : this.providers) {
			all &= provider.run();
		}
		return (all || this.interval.compareTo(AFTER_ERROR) < 0) ? this.interval : AFTER_ERROR;
	}

}
