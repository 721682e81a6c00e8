package io.asynq.internal.redis;

import java.time.Duration;
import java.util.Collection;
import java.util.function.Consumer;
import java.util.function.Supplier;

import io.asynq.internal.redis.driver.JedisFactories;
import io.asynq.internal.redis.driver.JedisPools;
import io.asynq.internal.redis.driver.JedisTracking;
import io.asynq.internal.redis.driver.LettuceFactories;
import io.asynq.internal.redis.driver.LettuceTopology;
import io.asynq.internal.redis.driver.LettuceTracking;
import io.asynq.internal.redis.driver.PoolUse;
import io.asynq.internal.redis.driver.SubscriptionConnections;
import io.asynq.internal.redis.driver.TrackedConnections;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.beans.factory.InitializingBean;
import org.springframework.context.SmartLifecycle;
import org.springframework.data.redis.connection.RedisConnectionFactory;

import static io.asynq.internal.redis.driver.Drivers.JEDIS;
import static io.asynq.internal.redis.driver.Drivers.LETTUCE;

/**
 * Handlers that use up the application's connections must not keep a server from renewing
 * leases and reporting outcomes; starts before the server and stops after it.
 */
public final class ServerConnections implements SmartLifecycle, InitializingBean, DisposableBean {

	/** Per Redis, besides subscriptions. */
	public static final int MAX = 4;

	private final RedisConnectionFactory factory;

	private final boolean own;

	private final @Nullable SmartLifecycle copy;

	/** Does not connect, and leaves the connections to the caller. */
	public ServerConnections(RedisConnectionFactory connections, Source source) {
		RedisConnectionFactory copied = (source == Source.COPY) ? copyOf(connections) : null;
		this.factory = (copied != null) ? copied : connections;
		this.copy = (SmartLifecycle) copied;
		this.own = copied != null || source == Source.OWN;
	}

	public boolean isOwn() {
		return this.own;
	}

	/** {@code null} if these are no pool of their own that can be seen. */
	public @Nullable Supplier<@Nullable PoolUse> pool() {
		return (this.own && JEDIS) ? JedisPools.of(this.factory) : null;
	}

	public RedisConnectionFactory factory() {
		return this.factory;
	}

	public SubscriptionConnections subscriptions() {
		return new SubscriptionConnections(this.factory);
	}

	public TrackedConnections tracked() {
		TrackedConnections tracked = JEDIS ? JedisTracking.over(this.factory) : null;
		if (tracked == null && LETTUCE) {
			tracked = LettuceTracking.over(this.factory);
		}
		return (tracked != null) ? tracked : TrackedConnections.none();
	}

	/**
	 * Has a driver that remembers who serves the slots of a cluster look again if a
	 * master contradicts it; two seconds at most.
	 */
	public Consumer<Collection<Integer>> slotCheck() {
		Consumer<Collection<Integer>> check = LETTUCE ? LettuceTopology.over(this.factory) : null;
		return (check != null) ? check : (slots) -> {
		};
	}

	@Override
	public void afterPropertiesSet() throws Exception {
		if (this.copy != null) {
			((InitializingBean) this.copy).afterPropertiesSet();
		}
	}

	@Override
	public void start() {
		if (this.copy != null) {
			this.copy.start();
		}
	}

	@Override
	public void stop() {
		if (this.copy != null) {
			this.copy.stop();
		}
	}

	@Override
	public boolean isRunning() {
		return this.copy != null && this.copy.isRunning();
	}

	@Override
	public int getPhase() {
		return (this.copy != null) ? this.copy.getPhase() : DEFAULT_PHASE;
	}

	@Override
	public void destroy() throws Exception {
		if (this.copy != null) {
			((DisposableBean) this.copy).destroy();
		}
	}

	private static @Nullable RedisConnectionFactory copyOf(RedisConnectionFactory application) {
		RedisConnectionFactory copy = JEDIS ? JedisFactories.copy(application, MAX) : null;
		return (copy == null && LETTUCE) ? LettuceFactories.copy(application) : copy;
	}

	/** Started; {@code null} if the connections never read from replicas. */
	public static @Nullable RedisConnectionFactory readingFromPrimary(RedisConnectionFactory connections) {
		return LETTUCE ? LettuceFactories.readingFromPrimary(connections) : null;
	}

	/** Zero for none, {@code null} if it is unknown. */
	public static @Nullable Duration commandTimeout(RedisConnectionFactory factory) {
		Duration timeout = JEDIS ? JedisFactories.timeout(factory) : null;
		return (timeout == null && LETTUCE) ? LettuceFactories.timeout(factory) : timeout;
	}

	public enum Source {

		/** A subclass or a wrapper is shared, because it is unknown what it adds. */
		COPY,

		OWN,

		SHARED

	}

}
