package io.asynq.scheduler;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import io.asynq.lifecycle.AsyncStop;
import io.asynq.lifecycle.LoopErrorLog;
import io.asynq.lifecycle.PeriodicRunner;
import io.asynq.lifecycle.ServerPhase;

import org.springframework.context.SmartLifecycle;

/**
 * Regularly asks {@link PeriodicTaskProvider providers} for their periodic tasks and
 * updates the scheduler, as Go's {@code PeriodicTaskManager} (docs/compatibility.md,
 * N01–N08). Each provider has its own thread. If a provider fails, its entries stay and
 * it is asked again after ten seconds at the latest. Can be started again after a stop.
 */
public final class PeriodicTaskManager implements SmartLifecycle {

	static final Duration AFTER_ERROR = Duration.ofSeconds(10);

	private static final Duration STOP_TIMEOUT = Duration.ofMillis(500);

	private final List<PeriodicRunner> runners = new ArrayList<>();

	/**
	 * Keeps the JVM alive before the first answer, when the scheduler may have no
	 * entries. The providers' threads are daemons, because one that hangs would keep the
	 * JVM alive after a stop.
	 */
	private final PeriodicRunner life = new PeriodicRunner("asynq-periodic-task-manager", () -> Duration.ofDays(1),
			new LoopErrorLog(), false);

	private final Duration interval;

	private volatile boolean running;

	/**
	 * Creates the manager.
	 * @param scheduler the scheduler to update
	 * @param providers the providers by name; the name is shown in the log
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
	public void stop(Runnable callback) {
		AsyncStop.run("asynq-periodic-task-manager", this::stop, callback);
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
