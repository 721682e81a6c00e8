package io.asynq.internal.schedule;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import io.asynq.inspect.LoopInfo;
import io.asynq.internal.lifecycle.AsyncStop;
import io.asynq.internal.lifecycle.LoopErrorLog;
import io.asynq.internal.lifecycle.PeriodicRunner;
import io.asynq.internal.lifecycle.ServerPhase;
import io.asynq.schedule.AsynqScheduler;
import io.asynq.schedule.PeriodicTaskProvider;
import io.asynq.schedule.SchedulerOptions;
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

	private final List<Asking> asking = new ArrayList<>();

	/**
	 * Keeps the JVM alive before the first answer; the providers' threads are daemons,
	 * because one that hangs would keep the JVM alive after a stop.
	 */
	private final PeriodicRunner life = new PeriodicRunner("asynq-periodic-task-manager", () -> Duration.ofDays(1),
			new LoopErrorLog(), false);

	private final Duration interval;

	private final Clock clock;

	private volatile boolean running;

	/**
	 * Creates the manager.
	 * @param providers the providers by the name that is shown in the log
	 */
	public PeriodicTaskManager(AsynqScheduler scheduler, Map<String, PeriodicTaskProvider> providers,
			SchedulerOptions options) {
		this.interval = options.syncInterval();
		this.clock = options.clock();
		providers.forEach((name, provider) -> {
			ProviderSync sync = new ProviderSync(scheduler, name, provider);
			this.asking
				.add(new Asking(sync, new PeriodicRunner("asynq-periodic-task-manager-" + name, () -> sync(sync))));
		});
	}

	@Override
	public void start() {
		this.running = true;
		if (!this.asking.isEmpty()) {
			this.life.start();
		}
		this.asking.forEach((its) -> its.loop().start());
	}

	@Override
	public void stop() {
		this.running = false;
		long end = System.nanoTime() + STOP_TIMEOUT.toNanos();
		this.asking.forEach((its) -> its.loop().stop(Duration.ofNanos(Math.max(0, end - System.nanoTime()))));
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

	/** Asks the providers now instead of at the end of the interval. */
	public void wake() {
		this.asking.forEach((its) -> its.loop().wake());
	}

	/**
	 * Describes the loops that ask the providers, one each: one whose provider does not
	 * return is stalled, and one whose provider failed the last time is failing.
	 */
	public List<LoopInfo> loops() {
		Instant now = this.clock.instant();
		return this.asking.stream().map((its) -> its.provider().describe(its.loop().info(now), now)).toList();
	}

	private Duration sync(ProviderSync provider) {
		return (provider.run() || this.interval.compareTo(AFTER_ERROR) < 0) ? this.interval : AFTER_ERROR;
	}

	private record Asking(ProviderSync provider, PeriodicRunner loop) {
	}

}
