package io.asynq.internal.redis.driver;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

import io.asynq.internal.redis.driver.SubscriptionConnections.SubscriptionConnection;
import org.apache.commons.pool2.impl.GenericObjectPoolConfig;
import org.jspecify.annotations.Nullable;
import org.springframework.data.redis.RedisConnectionFailureException;
import org.springframework.data.redis.connection.RedisClusterConfiguration;
import org.springframework.data.redis.connection.RedisClusterConnection;
import org.springframework.data.redis.connection.RedisClusterNode;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.RedisNode;
import org.springframework.data.redis.connection.RedisSentinelConfiguration;
import org.springframework.data.redis.connection.RedisStandaloneConfiguration;
import org.springframework.data.redis.connection.jedis.JedisClientConfiguration;
import org.springframework.data.redis.connection.jedis.JedisClientConfiguration.JedisClientConfigurationBuilder;
import org.springframework.data.redis.connection.jedis.JedisClientConfiguration.JedisSslClientConfigurationBuilder;
import org.springframework.data.redis.connection.jedis.JedisConnectionFactory;
import org.springframework.util.Assert;

/** Other connections with the application's settings. */
public final class JedisFactories {

	/** Applications often allow a minute; listening itself takes as long as it takes. */
	private static final Duration PATIENCE = Duration.ofSeconds(2);

	private JedisFactories() {
	}

	/** {@code null} for another driver. */
	public static @Nullable Duration timeout(RedisConnectionFactory factory) {
		return (factory instanceof JedisConnectionFactory jedis) ? jedis.getClientConfiguration().getReadTimeout()
				: null;
	}

	/**
	 * With a small pool; {@code null} for another driver, or a subclass that may do more.
	 */
	public static @Nullable RedisConnectionFactory copy(RedisConnectionFactory application, int connections) {
		if (application.getClass() != JedisConnectionFactory.class) {
			return null;
		}
		JedisConnectionFactory jedis = (JedisConnectionFactory) application;
		JedisClientConfiguration client = pooled(jedis.getClientConfiguration(), connections);
		RedisClusterConfiguration cluster = jedis.getClusterConfiguration();
		RedisSentinelConfiguration sentinel = jedis.getSentinelConfiguration();
		JedisConnectionFactory copy = (cluster != null) ? new JedisConnectionFactory(cluster, client)
				: (sentinel != null) ? new JedisConnectionFactory(sentinel, client)
						: new JedisConnectionFactory(jedis.getStandaloneConfiguration(), client);
		copy.setUseUnifiedJedis(jedis.isUseUnifiedJedis());
		return copy;
	}

	static boolean choosesNode(RedisConnectionFactory application) {
		return application instanceof JedisConnectionFactory jedis && jedis.isRedisClusterAware();
	}

	/**
	 * Outside of the application's pool; any node of a cluster receives what is published
	 * through any other.
	 */
	static @Nullable SubscriptionConnection dedicated(RedisConnectionFactory application, @Nullable String node) {
		if (!(application instanceof JedisConnectionFactory jedis)) {
			return null;
		}
		JedisClientConfiguration client = jedis.getClientConfiguration();
		RedisSentinelConfiguration sentinel = jedis.getSentinelConfiguration();
		JedisConnectionFactory factory = (sentinel != null && !jedis.isRedisClusterAware())
				? new JedisConnectionFactory(sentinel, client)
				: new JedisConnectionFactory(
						jedis.isRedisClusterAware() ? node(jedis, node) : jedis.getStandaloneConfiguration(),
						withoutPool(client));
		factory.setUseUnifiedJedis(false);
		try {
			factory.afterPropertiesSet();
			factory.start();
			return new SubscriptionConnection(factory.getConnection(), factory::destroy);
		}
		catch (RuntimeException ex) {
			factory.destroy();
			throw ex;
		}
	}

	private static RedisStandaloneConfiguration node(JedisConnectionFactory application, @Nullable String chosen) {
		RedisClusterConfiguration cluster = application.getClusterConfiguration();
		Assert.state(cluster != null, "The connection factory is not one of a cluster");
		RedisNode node = (chosen != null) ? RedisNode.fromString(chosen) : anyMaster(application);
		RedisStandaloneConfiguration standalone = new RedisStandaloneConfiguration(node.getRequiredHost(),
				node.getRequiredPort());
		standalone.setUsername(cluster.getUsername());
		standalone.setPassword(cluster.getPassword());
		return standalone;
	}

	/** Servers spread, and whoever met a broken node meets another. */
	private static RedisClusterNode anyMaster(JedisConnectionFactory application) {
		List<RedisClusterNode> nodes = new ArrayList<>();
		try (RedisClusterConnection connection = application.getClusterConnection()) {
			connection.clusterGetNodes().forEach((node) -> {
				if (node.isMaster() && node.isConnected() && !node.isMarkedAsFail()) {
					nodes.add(node);
				}
			});
		}
		if (nodes.isEmpty()) {
			throw new RedisConnectionFailureException("No master of the cluster is connected");
		}
		Collections.shuffle(nodes);
		return nodes.get(0);
	}

	private static JedisClientConfiguration pooled(JedisClientConfiguration application, int connections) {
		GenericObjectPoolConfig<?> pool = application.getPoolConfig()
			.<GenericObjectPoolConfig<?>>map(GenericObjectPoolConfig::clone)
			.orElseGet(GenericObjectPoolConfig::new);
		pool.setMaxTotal(connections);
		pool.setMaxIdle(connections);
		pool.setMinIdle(Math.min(pool.getMinIdle(), connections));
		// Connections come back when their calls time out
		pool.setBlockWhenExhausted(true);
		pool.setMaxWait(Duration.ofMillis(-1));
		JedisClientConfigurationBuilder settings = settings(application);
		settings.usePooling().poolConfig(pool);
		return settings.build();
	}

	private static JedisClientConfiguration withoutPool(JedisClientConfiguration application) {
		Duration timeout = application.getReadTimeout();
		return settings(application)
			.readTimeout((timeout.isZero() || timeout.compareTo(PATIENCE) > 0) ? PATIENCE : timeout)
			.build();
	}

	/** Customizers may supply rotating credentials. */
	private static JedisClientConfigurationBuilder settings(JedisClientConfiguration application) {
		JedisClientConfigurationBuilder builder = JedisClientConfiguration.builder()
			.connectTimeout(application.getConnectTimeout())
			.readTimeout(application.getReadTimeout());
		application.getClientName().ifPresent(builder::clientName);
		application.getClientConfigCustomizer().ifPresent(builder::customizeClientConfig);
		application.getClientCustomizer().ifPresent(builder::customizeClient);
		if (application.isUseSsl()) {
			JedisSslClientConfigurationBuilder ssl = builder.useSsl();
			application.getSslSocketFactory().ifPresent(ssl::sslSocketFactory);
			application.getSslParameters().ifPresent(ssl::sslParameters);
			application.getHostnameVerifier().ifPresent(ssl::hostnameVerifier);
		}
		return builder;
	}

}
