package io.asynq.broker.redis;

import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.DisposableBean;
import org.springframework.beans.factory.InitializingBean;
import org.springframework.context.SmartLifecycle;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.util.ClassUtils;

/**
 * The connections of a server, a few of its own for each Redis it reaches. The
 * application's are the application's: handlers that wait for Redis on all of them must
 * not keep a server from saying that it lives, or how a task has ended. Starts and stops
 * with the application context, before and after the server.
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
	 * credentials, customizers. Redis is not touched.
	 * @param connections the connections; they stay the caller's
	 * @param source what to do with them
	 */
	public ServerConnections(RedisConnectionFactory connections, Source source) {
		RedisConnectionFactory copied = (source == Source.COPY) ? copyOf(connections) : null;
		this.factory = (copied != null) ? copied : connections;
		this.copy = (SmartLifecycle) copied;
		this.own = copied != null || source == Source.OWN;
	}

	/**
	 * Returns whether nobody else uses these connections.
	 * @return {@code false} if they are the application's
	 */
	public boolean isOwn() {
		return this.own;
	}

	RedisConnectionFactory factory() {
		return this.factory;
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

	private static boolean isPresent(String driver) {
		return ClassUtils.isPresent(driver, ServerConnections.class.getClassLoader());
	}

	/**
	 * What is to become of connections.
	 */
	public enum Source {

		/**
		 * They are the application's: others like them are made. Where that cannot be
		 * done they are shared, because nobody knows what a subclass or a wrapper adds.
		 */
		COPY,

		/** They are the server's alone. */
		OWN,

		/** They are the application's and shared with it. */
		SHARED

	}

}
