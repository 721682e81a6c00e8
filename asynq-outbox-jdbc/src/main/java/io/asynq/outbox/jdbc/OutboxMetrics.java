package io.asynq.outbox.jdbc;

import java.time.Clock;
import java.util.concurrent.TimeUnit;
import java.util.function.ToDoubleFunction;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.TimeGauge;
import io.micrometer.core.instrument.binder.MeterBinder;

/**
 * How full the outbox is, all applications with the same table see alike; what this
 * process has done can be summed; reading the meters does not call the database.
 */
final class OutboxMetrics implements MeterBinder {

	private final RelayCounters counters;

	private final Clock clock;

	OutboxMetrics(RelayCounters counters, Clock clock) {
		this.counters = counters;
		this.clock = clock;
	}

	@Override
	public void bindTo(MeterRegistry registry) {
		gauge(registry, "waiting", "Number of rows that wait to be sent", OutboxNumbers::waiting);
		gauge(registry, "set.aside", "Number of rows that cannot be sent", OutboxNumbers::setAside);
		TimeGauge
			.builder("asynq.outbox.oldest.age", this, TimeUnit.MILLISECONDS,
					(metrics) -> metrics.read(metrics::oldestAge))
			.description("Time since the oldest row that waits was written")
			.register(registry);
		FunctionCounter.builder("asynq.outbox.sent", this.counters, RelayCounters::allSent)
			.description("Number of tasks that were stored in their queue")
			.register(registry);
		FunctionCounter.builder("asynq.outbox.failed", this.counters, RelayCounters::allFailed)
			.description("Number of calls to Redis or the database that have failed")
			.register(registry);
	}

	private void gauge(MeterRegistry registry, String name, String description,
			ToDoubleFunction<OutboxNumbers> reader) {
		Gauge.builder("asynq.outbox." + name, this, (metrics) -> metrics.read(reader))
			.description(description)
			.register(registry);
	}

	private double read(ToDoubleFunction<OutboxNumbers> reader) {
		OutboxNumbers numbers = this.counters.numbers();
		return (numbers != null) ? reader.applyAsDouble(numbers) : Double.NaN;
	}

	private double oldestAge(OutboxNumbers numbers) {
		return (numbers.oldestMillis() != null) ? Math.max(0, this.clock.millis() - numbers.oldestMillis()) : 0;
	}

}
