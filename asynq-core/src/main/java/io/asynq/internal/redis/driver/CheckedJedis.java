package io.asynq.internal.redis.driver;

import java.util.concurrent.ThreadPoolExecutor;

import org.jspecify.annotations.Nullable;
import org.springframework.data.redis.RedisConnectionFailureException;
import org.springframework.data.redis.connection.RedisClusterConnection;
import org.springframework.data.redis.connection.RedisConnection;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.jedis.JedisConnectionFactory;
import redis.clients.jedis.Jedis;
import redis.clients.jedis.UnifiedJedis;
import redis.clients.jedis.exceptions.JedisConnectionException;

/** Lends connections of the application's pool that Redis has not closed meanwhile. */
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

	/** {@code null} for another driver, or a subclass that may wrap its connections. */
	public static @Nullable CheckedJedis over(RedisConnectionFactory application) {
		return (application.getClass() == JedisConnectionFactory.class)
				? new CheckedJedis((JedisConnectionFactory) application, new JedisCalls()) : null;
	}

	public static boolean isOfCluster(RedisConnectionFactory factory) {
		return factory instanceof JedisConnectionFactory jedis && jedis.isRedisClusterAware();
	}

	/** For idempotent calls: else an idle server would send a PING with nearly each. */
	public RedisConnectionFactory trusting() {
		return new CheckedJedis(this.application, this.calls.trusting());
	}

	public static boolean isCluster(RedisConnection connection) {
		return connection instanceof CheckedClient.ClusterView || connection instanceof RedisClusterConnection;
	}

	/** Shared by all callers: begin no pipeline, transaction or subscription. */
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

	/** Creates another one after the factory was stopped and started. */
	private CheckedClient client(UnifiedJedis pooled) {
		CheckedClient known = this.client;
		if (known == null || known.application() != pooled) {
			known = CheckedClient.of(pooled, this.calls);
			this.client = known;
		}
		return known;
	}

	/** If the only connection lent is gone, the next one is tried. */
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
