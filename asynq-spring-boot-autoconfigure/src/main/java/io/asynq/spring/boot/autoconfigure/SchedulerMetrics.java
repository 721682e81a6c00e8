package io.asynq.spring.boot.autoconfigure;

import java.time.Duration;
import java.util.concurrent.TimeUnit;

import io.asynq.internal.schedule.PeriodicTaskManager;
import io.asynq.schedule.AsynqScheduler;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.TimeGauge;
import io.micrometer.core.instrument.binder.MeterBinder;
import org.jspecify.annotations.Nullable;

/**
 * The lag is NaN unless the scheduler runs and has entries.
 */
final class SchedulerMetrics implements MeterBinder {

	private final AsynqScheduler scheduler;

	private final @Nullable PeriodicTaskManager manager;

	SchedulerMetrics(AsynqScheduler scheduler, @Nullable PeriodicTaskManager manager) {
		this.scheduler = scheduler;
		this.manager = manager;
	}

	@Override
	public void bindTo(MeterRegistry registry) {
		TimeGauge.builder("asynq.scheduler.lag", this.scheduler, TimeUnit.SECONDS, SchedulerMetrics::lag)
			.description("Time for which the scheduler should have looked for fires that are due")
			.register(registry);
		Gauge.builder("asynq.scheduler.providers.failing", this, SchedulerMetrics::failing)
			.description("Number of providers of periodic tasks that failed the last time, or do not return")
			.register(registry);
	}

	private long failing() {
		return (this.manager != null) ? this.manager.loops()
			.stream()
			.filter((loop) -> loop.failingSince() != null || loop.stalledSince() != null || loop.dead())
			.count() : 0;
	}

	private static double lag(AsynqScheduler scheduler) {
		Duration lag = scheduler.lag();
		return (lag != null) ? lag.toNanos() / 1e9 : Double.NaN;
	}

}
