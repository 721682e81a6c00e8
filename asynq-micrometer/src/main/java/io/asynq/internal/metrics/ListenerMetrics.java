package io.asynq.internal.metrics;

import java.util.function.ToDoubleFunction;

import io.asynq.internal.event.TaskEvents;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;

/**
 * These values belong to the process and can be summed.
 */
public final class ListenerMetrics implements MeterBinder {

	private final TaskEvents events;

	public ListenerMetrics(TaskEvents events) {
		this.events = events;
	}

	@Override
	public void bindTo(MeterRegistry registry) {
		if (!this.events.isOn()) {
			return;
		}
		Gauge.builder("asynq.listeners.waiting", this.events, TaskEvents::waiting)
			.description("Number of events that wait for listeners")
			.register(registry);
		counter(registry, "dropped", "Number of events that were dropped because too many waited", TaskEvents::dropped);
		counter(registry, "failures", "Number of calls of a listener that have thrown an exception",
				TaskEvents::failures);
		counter(registry, "slow", "Number of calls of a listener that have taken more than a second", TaskEvents::slow);
	}

	private void counter(MeterRegistry registry, String name, String description, ToDoubleFunction<TaskEvents> reader) {
		FunctionCounter.builder("asynq.listeners." + name, this.events, reader)
			.description(description)
			.register(registry);
	}

}
