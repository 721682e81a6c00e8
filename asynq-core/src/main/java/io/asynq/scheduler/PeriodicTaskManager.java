package io.asynq.scheduler;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import io.asynq.lifecycle.LoopErrorLog;
import io.asynq.lifecycle.PeriodicRunner;
import io.asynq.lifecycle.ServerPhase;

import org.springframework.context.SmartLifecycle;

/**
 * Asks {@link PeriodicTaskProvider providers} again and again which periodic tasks there
 * are, each on a thread of its own, and tells the scheduler (asynq N01–N08). A provider
 * that fails, at the start or later, leaves what there is; it is asked again after ten
 * seconds at the latest. Starts again after a stop.
 */
public final class PeriodicTaskManager implements SmartLifecycle {

	static final Duration AFTER_ERROR = Duration.ofSeconds(10);

	private static final Duration STOP_TIMEOUT = Duration.ofMillis(500);

	private final List<PeriodicRunner> runners = new ArrayList<>();

	/**
	 * Keeps the JVM alive as the scheduler does, which may have nothing to do before the
	 * first answer; not the providers' threads, because one that hangs would do so after
	 * the stop.
	 */
	private final PeriodicRunner life = new PeriodicRunner("asynq-periodic-task-manager", () -> Duration.ofDays(1),
			new LoopErrorLog(), false);

	private final Duration interval;

	private volatile boolean running;

	/**
	 * Creates the manager.
	 * @param scheduler gets the entries
	 * @param providers say which there are; by the names under which their mistakes are
	 * logged, such as those of their beans
	 * @param options settings
	 */
	public PeriodicTaskManager(AsynqScheduler scheduler, Map<String, PeriodicTaskProvider> providers,
			SchedulerOptions options) {
		this.interval = options.syncInterval();
		providers.forEach((name, provider) -> {
			ProviderSync sync = new ProviderSync(scheduler, name, provider);
			this.runners.add(new PeriodicRunner("asynq-periodic-task-manager-" + name, () -> sync(sync)));
		});
	}

	@Override
	public void start() {
		this.running = true;
		if (!this.runners.isEmpty()) {
			this.life.start();
		}
		this.runners.forEach(PeriodicRunner::start);
	}

	@Override
	public void stop() {
		this.running = false;
		long end = System.nanoTime() + STOP_TIMEOUT.toNanos();
		this.runners.forEach((runner) -> runner.stop(Duration.ofNanos(Math.max(0, end - System.nanoTime()))));
		this.life.stop(STOP_TIMEOUT);
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
		this.runners.forEach(PeriodicRunner::wake);
	}

	private Duration sync(ProviderSync provider) {
		return (provider.run() || this.interval.compareTo(AFTER_ERROR) < 0) ? this.interval : AFTER_ERROR;
	}

}
