package io.asynq.spring.boot.autoconfigure;

import java.util.Map;
import java.util.TreeMap;
import java.util.function.Supplier;
import java.util.function.ToIntFunction;

import io.asynq.internal.redis.ServerConnections;
import io.asynq.internal.redis.driver.PoolUse;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import org.jspecify.annotations.Nullable;

/**
 * A pool that its driver hides has no meters; the values belong to the process and can be
 * summed.
 */
final class ConnectionMetrics implements MeterBinder {

	private final Map<String, Supplier<@Nullable PoolUse>> pools = new TreeMap<>();

	ConnectionMetrics(AsynqConnectionFactory application, ServerConnections server) {
		add("application", Connections.use(application.value()));
		add("server", server.pool());
	}

	@Override
	public void bindTo(MeterRegistry registry) {
		this.pools.forEach((name, pool) -> {
			gauge(registry, name, "active", "Number of connections to Redis in use", PoolUse::active);
			gauge(registry, name, "idle", "Number of open connections to Redis that are not in use", PoolUse::idle);
			gauge(registry, name, "max", "Number of connections to Redis that there may be", PoolUse::max);
			gauge(registry, name, "pending", "Number of threads that wait for a connection to Redis", PoolUse::pending);
		});
	}

	private void gauge(MeterRegistry registry, String pool, String name, String description,
			ToIntFunction<PoolUse> reader) {
		Gauge.builder("asynq.connections." + name, this.pools.get(pool), (candidate) -> value(candidate, reader))
			.description(description)
			.tag("pool", pool)
			.register(registry);
	}

	private void add(String name, @Nullable Supplier<@Nullable PoolUse> pool) {
		if (pool != null) {
			this.pools.put(name, pool);
		}
	}

	private static double value(Supplier<@Nullable PoolUse> pool, ToIntFunction<PoolUse> reader) {
		PoolUse use = pool.get();
		return (use != null) ? reader.applyAsInt(use) : Double.NaN;
	}

}
