package io.asynq.metrics;

import java.util.function.ToDoubleFunction;

import io.asynq.event.TaskEvents;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;

/**
 * Publishes how the application's listeners keep up: the gauge
 * {@code asynq.listeners.waiting} in events, and the counters
 * {@code asynq.listeners.dropped} of events, {@code asynq.listeners.failures} and
 * {@code asynq.listeners.slow} of calls. They belong to the process and can be summed.
 * Safe for concurrent use.
 */
public final class ListenerMetrics implements MeterBinder {

	private final TaskEvents events;

	/**
	 * Creates the metrics.
	 * @param events hands events over to the listeners
	 */
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
