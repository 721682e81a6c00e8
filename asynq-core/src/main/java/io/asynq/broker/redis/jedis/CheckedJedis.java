package io.asynq.broker.redis.jedis;

import java.util.concurrent.ThreadPoolExecutor;

import io.asynq.broker.redis.driver.CallTime;
import io.asynq.broker.redis.driver.UnboundConnections;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.Jedis;
import redis.clients.jedis.UnifiedJedis;
import redis.clients.jedis.exceptions.JedisConnectionException;

import org.springframework.data.redis.RedisConnectionFailureException;
import org.springframework.data.redis.connection.RedisClusterConnection;
import org.springframework.data.redis.connection.RedisConnection;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.jedis.JedisConnectionFactory;

/**
 * Lends connections from the pool of an application's Jedis factory that Redis has not
 * closed meanwhile. The pool remains the application's. Safe for concurrent use.
 */
public final class CheckedJedis extends UnboundConnections {

	/** More than any pool has, and an end where each connection is closed at once. */
	private static final int MAX_DROPPED = 1000;

	private final JedisConnectionFactory application;

	private final JedisCalls calls;

	/** Those that wait for connections of Jedis's old clients. */
	private final ThreadPoolExecutor waiting = CallTime.threads("asynq-connections-");

	private volatile @Nullable CheckedClient client;

	private CheckedJedis(JedisConnectionFactory application, JedisCalls calls) {
		super(application);
		this.application = application;
		this.calls = calls;
	}

	/**
	 * Wraps the application's factory.
	 * @return the same with checks, {@code null} if it is another driver's, or a subclass
	 * that may wrap its connections
	 */
	public static @Nullable CheckedJedis over(RedisConnectionFactory application) {
		return (application.getClass() == JedisConnectionFactory.class)
				? new CheckedJedis((JedisConnectionFactory) application, new JedisCalls()) : null;
	}

	/** Returns whether a factory is Jedis's, and set to a cluster. */
	public static boolean isOfCluster(RedisConnectionFactory factory) {
		return factory instanceof JedisConnectionFactory jedis && jedis.isRedisClusterAware();
	}

	/**
	 * Returns a variant for idempotent calls: otherwise an idle server would send a PING
	 * with nearly every call.
	 * @return a lender of connections that have answered once, closed or not
	 */
	public RedisConnectionFactory trusting() {
		return new CheckedJedis(this.application, this.calls.trusting());
	}

	/**
	 * Returns whether each command goes to the node of its key.
	 * @param connection a connection that was lent
	 * @return whether it is one to a cluster
	 */
	public static boolean isCluster(RedisConnection connection) {
		return connection instanceof CheckedClient.ClusterView || connection instanceof RedisClusterConnection;
	}

	/**
	 * Lends a connection. It may be shared by all callers, so do not begin a pipeline,
	 * transaction or subscription over it.
	 */
	@Override
	public RedisConnection getConnection() {
		CheckedClient known = this.client;
		if (known != null && known.isOpen()) {
			return known.view();
		}
		CallTime time = CallTime.present();
		boolean waits = !this.application.isUseUnifiedJedis() && !this.application.isRedisClusterAware();
		return (waits && time != null) ? time.elsewhere(this.waiting, this::connect, RedisConnection::close)
				: connect();
	}

	private RedisConnection connect() {
		RedisConnection connection = this.application.getConnection();
		Object driver = connection.getNativeConnection();
		if (driver instanceof UnifiedJedis pooled) {
			RedisConnection checked = client(pooled).view();
			return (checked != null) ? checked : connection;
		}
		return (driver instanceof Jedis) ? living(connection) : connection;
	}

	/** Another one after the factory was stopped and started. */
	private CheckedClient client(UnifiedJedis pooled) {
		CheckedClient known = this.client;
		if (known == null || known.application() != pooled) {
			known = CheckedClient.of(pooled, this.calls);
			this.client = known;
		}
		return known;
	}

	/** Looks at the only connection that was lent; if it is gone, at the next. */
	private RedisConnection living(RedisConnection first) {
		RedisConnection connection = first;
		for (int i = 0; i < MAX_DROPPED; i++) {
			try {
				if (connection.getNativeConnection() instanceof Jedis jedis
						&& this.calls.isThere(jedis.getConnection())) {
					this.calls.noteUse(jedis.getConnection());
					return connection;
				}
			}
			catch (JedisConnectionException ex) {
				connection.close();
				throw new RedisConnectionFailureException(ex.getMessage(), ex);
			}
			catch (RedisConnectionFailureException ex) {
				connection.close();
				throw ex;
			}
			connection.close();
			connection = this.application.getConnection();
		}
		return connection;
	}

}
