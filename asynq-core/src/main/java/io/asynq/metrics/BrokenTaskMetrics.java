package io.asynq.metrics;

import java.util.Locale;

import io.asynq.broker.BrokenTask;
import io.asynq.broker.BrokenTasks;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;

/**
 * Publishes how much data in Redis made no sense: the counter {@code asynq.tasks.broken}
 * by {@code kind}. Safe for concurrent use.
 */
public final class BrokenTaskMetrics implements MeterBinder {

	private final BrokenTasks brokenTasks;

	/**
	 * Creates the metrics.
	 * @param brokenTasks what counts
	 */
	public BrokenTaskMetrics(BrokenTasks brokenTasks) {
		this.brokenTasks = brokenTasks;
	}

	@Override
	public void bindTo(MeterRegistry registry) {
		for (BrokenTask.Kind kind : BrokenTask.Kind.values()) {
			FunctionCounter.builder("asynq.tasks.broken", this.brokenTasks, (tasks) -> tasks.count(kind))
				.description("Number of tasks found in Redis that made no sense")
				.tag("kind", kind.name().toLowerCase(Locale.ROOT))
				.register(registry);
		}
	}

}
