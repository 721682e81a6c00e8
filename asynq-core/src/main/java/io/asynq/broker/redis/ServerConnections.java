package io.asynq.broker.redis;

import java.util.function.Supplier;

import io.asynq.broker.check.PoolUse;
import io.asynq.broker.redis.driver.ClusterView;
import io.asynq.broker.redis.driver.SubscriptionConnections;
import io.asynq.broker.redis.driver.TrackedConnections;
import io.asynq.broker.redis.jedis.CopiedJedis;
import io.asynq.broker.redis.jedis.JedisPools;
import io.asynq.broker.redis.jedis.JedisTracking;
import io.asynq.broker.redis.lettuce.CopiedLettuce;
import io.asynq.broker.redis.lettuce.LettuceTopology;
import io.asynq.broker.redis.lettuce.LettuceTracking;
import io.asynq.broker.redis.lettuce.ListedPrimary;
import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.DisposableBean;
import org.springframework.beans.factory.InitializingBean;
import org.springframework.context.SmartLifecycle;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.util.ClassUtils;

/**
 * The connections of a server, a few of its own for each Redis. When handlers use up the
 * application's connections, a server must still be able to renew leases and to report
 * outcomes. Starts before the server and stops after it.
 */
public final class ServerConnections implements SmartLifecycle, InitializingBean, DisposableBean {

	/** How many connections a server has to one Redis, besides its subscriptions. */
	public static final int MAX = 4;

	private static final boolean JEDIS = isPresent("redis.clients.jedis.Jedis");

	private static final boolean LETTUCE = isPresent("io.lettuce.core.RedisClient");

	private final RedisConnectionFactory factory;

	private final boolean own;

	private final @Nullable SmartLifecycle copy;

	/**
	 * Takes connections, or copies their settings: addresses, time-outs, TLS,
	 * credentials, customizers. Does not connect yet.
	 * @param connections the connections; they remain the caller's
	 * @param source whether to use or to copy them
	 */
	public ServerConnections(RedisConnectionFactory connections, Source source) {
		RedisConnectionFactory copied = (source == Source.COPY) ? copyOf(connections) : null;
		this.factory = (copied != null) ? copied : connections;
		this.copy = (SmartLifecycle) copied;
		this.own = copied != null || source == Source.OWN;
	}

	/**
	 * Returns whether these connections are used by servers and schedulers alone.
	 * @return {@code false} if they are the application's
	 */
	public boolean isOwn() {
		return this.own;
	}

	/**
	 * Returns what the pool of these connections does, if it is a pool of their own that
	 * can be seen.
	 * @return tells it for the moment, {@code null} if it cannot be seen
	 */
	public @Nullable Supplier<@Nullable PoolUse> pool() {
		return (this.own && JEDIS) ? JedisPools.of(this.factory) : null;
	}

	RedisConnectionFactory factory() {
		return this.factory;
	}

	/** Returns the connections over which to subscribe. */
	SubscriptionConnections subscriptions() {
		LettuceTracking lettuce = LETTUCE ? LettuceTracking.over(this.factory) : null;
		ListedPrimary listed = LETTUCE ? ListedPrimary.of(this.factory) : null;
		return new SubscriptionConnections(this.factory, (listed != null) ? listed::connections : null,
				(lettuce != null) ? lettuce::subscriptionAt : null);
	}

	/** Returns the connections over which Redis reports changes. */
	TrackedConnections tracked() {
		TrackedConnections tracked = JEDIS ? JedisTracking.over(this.factory) : null;
		if (tracked == null && LETTUCE) {
			tracked = LettuceTracking.over(this.factory);
		}
		return (tracked != null) ? tracked : TrackedConnections.none();
	}

	/** Returns what the driver believes about a cluster. */
	ClusterView clusterView() {
		ClusterView view = LETTUCE ? LettuceTopology.over(this.factory) : null;
		return (view != null) ? view : ClusterView.fresh();
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
		RedisConnectionFactory copy = JEDIS ? CopiedJedis.of(application, MAX) : null;
		return (copy == null && LETTUCE) ? CopiedLettuce.of(application) : copy;
	}

	/**
	 * Returns a started copy, {@code null} if the connections never read from replicas.
	 */
	static @Nullable RedisConnectionFactory readingFromPrimary(RedisConnectionFactory connections) {
		return LETTUCE ? CopiedLettuce.readingFromPrimary(connections) : null;
	}

	private static boolean isPresent(String driver) {
		return ClassUtils.isPresent(driver, ServerConnections.class.getClassLoader());
	}

	/** What is to become of connections. */
	public enum Source {

		/**
		 * They are the application's, to be copied. Connections of a subclass or a
		 * wrapper are shared, because it is unknown what these add.
		 */
		COPY,

		/** They are the server's alone. */
		OWN,

		/** They are the application's and shared with it. */
		SHARED

	}

}
