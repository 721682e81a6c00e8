package io.asynq.internal.metrics;

import java.util.Locale;

import io.asynq.internal.worker.BrokenTasks;
import io.asynq.server.BrokenTask;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;

public final class BrokenTaskMetrics implements MeterBinder {

	private final BrokenTasks brokenTasks;

	public BrokenTaskMetrics(BrokenTasks brokenTasks) {
		this.brokenTasks = brokenTasks;
	}

	@Override
	public void bindTo(MeterRegistry registry) {
		for (BrokenTask.Kind kind : BrokenTask.Kind.values()) {
			FunctionCounter.builder("asynq.tasks.broken", this.brokenTasks, (tasks) -> tasks.count(kind))
				.description("Number of invalid tasks and keys found in Redis")
				.tag("kind", kind.name().toLowerCase(Locale.ROOT))
				.register(registry);
		}
	}

}
