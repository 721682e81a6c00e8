package io.asynq.metrics;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.LongSupplier;
import java.util.function.ToDoubleFunction;

import io.asynq.AsynqException;
import io.asynq.broker.limit.LimitReader;
import io.asynq.info.LimitInfo;
import io.asynq.lifecycle.UserCode;
import io.asynq.logging.OneLineLogger;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.MultiGauge;
import io.micrometer.core.instrument.MultiGauge.Row;
import io.micrometer.core.instrument.Tags;
import org.slf4j.Logger;

/**
 * The meters of limits over all servers, in all registries. Safe for concurrent use.
 */
final class LimitMeters {

	private static final Logger logger = OneLineLogger.of(LimitMeters.class);

	private final LimitReader reader;

	private final Duration maxAge;

	private final LongSupplier nanoTime;

	private final List<Gauges> gauges = new CopyOnWriteArrayList<>();

	private volatile Map<String, LimitInfo> known = Map.of();

	private volatile long readAt;

	/**
	 * @param maxAge how long numbers are valid
	 */
	LimitMeters(LimitReader reader, Duration maxAge, LongSupplier nanoTime) {
		this.reader = reader;
		this.maxAge = maxAge;
		this.nanoTime = nanoTime;
	}

	/**
	 * Registers meters, which come and go with the limits.
	 * @param demand to be called before a value is taken
	 */
	void bindTo(MeterRegistry registry, Runnable demand) {
		Gauges bound = new Gauges(gauge(registry, "held", "Number of running tasks that a limit counts"),
				gauge(registry, "waiting", "Number of tasks that wait for a limit"), demand);
		this.gauges.add(bound);
		follow(bound);
	}

	/** Reads once. */
	void read() {
		try {
			Map<String, LimitInfo> limits = new LinkedHashMap<>();
			this.reader.limits().forEach((limit) -> limits.put(limit.name(), limit));
			this.known = limits;
			this.readAt = this.nanoTime.getAsLong();
		}
		catch (AsynqException ex) {
			logger.debug("Limits cannot be read for the metrics", ex);
		}
		this.gauges.forEach(this::follow);
	}

	private void follow(Gauges bound) {
		UserCode.run(() -> {
			bound.held().register(rows(LimitInfo::held, bound.demand()), true);
			bound.waiting().register(rows(LimitInfo::waiting, bound.demand()), true);
		}, (shown) -> logger.warn("Limits lack meters because a meter registry or one of its filters failed", shown));
	}

	private Iterable<Row<?>> rows(ToDoubleFunction<LimitInfo> number, Runnable demand) {
		List<Row<?>> rows = new ArrayList<>();
		this.known.keySet().forEach((name) -> rows.add(Row.of(Tags.of("limit", name), () -> {
			demand.run();
			return value(name, number);
		})));
		return rows;
	}

	private double value(String name, ToDoubleFunction<LimitInfo> number) {
		LimitInfo limit = this.known.get(name);
		return (limit != null && this.nanoTime.getAsLong() - this.readAt <= this.maxAge.toNanos())
				? number.applyAsDouble(limit) : Double.NaN;
	}

	private static MultiGauge gauge(MeterRegistry registry, String name, String description) {
		return MultiGauge.builder("asynq.limit." + name).description(description).register(registry);
	}

	/**
	 * The meters of one registry.
	 */
	private record Gauges(MultiGauge held, MultiGauge waiting, Runnable demand) {
	}

}
