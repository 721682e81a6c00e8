package io.asynq.metrics;

import java.util.function.Predicate;
import java.util.function.ToDoubleFunction;

import io.asynq.inspect.LimitInfo;
import io.asynq.internal.lifecycle.UserCode;
import io.asynq.internal.text.OneLineLogger;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.MultiGauge;
import io.micrometer.core.instrument.MultiGauge.Row;
import io.micrometer.core.instrument.Tags;
import org.slf4j.Logger;

/**
 * Meters are by limit, not by key, of which there may be any number.
 */
final class LimitMeters {

	private static final Logger logger = OneLineLogger.of(LimitMeters.class);

	private final MultiGauge concurrent;

	private final MultiGauge held;

	private final MultiGauge waiting;

	private final MultiGauge keys;

	private final QueueValues values;

	LimitMeters(MeterRegistry registry, QueueValues values) {
		this.values = values;
		this.concurrent = MultiGauge.builder("asynq.limit.concurrent")
			.description("Number of tasks that may run at the same time, of each key if the limit has keys")
			.register(registry);
		this.held = MultiGauge.builder("asynq.limit.held")
			.description("Number of tokens of the limit that tasks hold")
			.register(registry);
		this.waiting = MultiGauge.builder("asynq.limit.waiting")
			.description("Number of tasks in retry that wait for the limit")
			.register(registry);
		this.keys = MultiGauge.builder("asynq.limit.keys")
			.description("Number of keys of the limit that are in use")
			.register(registry);
	}

	synchronized void follow() {
		UserCode.run(() -> {
			follow(this.concurrent, (limit) -> limit.concurrent() > 0, LimitInfo::concurrent);
			follow(this.held, (limit) -> true, LimitInfo::held);
			follow(this.waiting, (limit) -> true, LimitInfo::waiting);
			follow(this.keys, (limit) -> true, LimitInfo::keys);
		}, (shown) -> logger.warn("Limits lack meters because a meter registry or one of its filters failed", shown));
	}

	private void follow(MultiGauge gauge, Predicate<LimitInfo> filter, ToDoubleFunction<LimitInfo> number) {
		gauge.register(this.values.limits()
			.names(filter)
			.stream()
			.map((limit) -> Row.of(Tags.of("limit", limit), this.values, (values) -> values.limit(limit, number)))
			.toList());
	}

}
