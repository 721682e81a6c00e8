package io.asynq.cli.connect;

import java.time.Duration;

import io.asynq.cli.connect.RedisAddress.Node;
import io.asynq.cli.connect.RedisAddress.Tls;
import org.jspecify.annotations.Nullable;
import org.springframework.data.redis.connection.RedisClusterConfiguration;
import org.springframework.data.redis.connection.RedisNode;
import org.springframework.data.redis.connection.RedisPassword;
import org.springframework.data.redis.connection.RedisSentinelConfiguration;
import org.springframework.data.redis.connection.RedisStandaloneConfiguration;
import org.springframework.data.redis.connection.jedis.JedisClientConfiguration;
import org.springframework.data.redis.connection.jedis.JedisClientConfiguration.JedisClientConfigurationBuilder;
import org.springframework.data.redis.connection.jedis.JedisConnectionFactory;

/**
 * Makes connections to an address.
 */
final class RedisConnections {

	private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(5);

	/** Large batches on a busy Redis take their time. */
	private static final Duration READ_TIMEOUT = Duration.ofSeconds(30);

	private RedisConnections() {
	}

	/** Returns a factory that has not connected yet. */
	static JedisConnectionFactory to(RedisAddress address) {
		return to(address, CONNECT_TIMEOUT, READ_TIMEOUT);
	}

	static JedisConnectionFactory to(RedisAddress address, Duration connectTimeout, Duration readTimeout) {
		JedisClientConfiguration client = client(address.tls(), connectTimeout, readTimeout);
		JedisConnectionFactory factory = switch (address.kind()) {
			case STANDALONE -> new JedisConnectionFactory(standalone(address), client);
			case SENTINEL -> new JedisConnectionFactory(sentinel(address), client);
			case CLUSTER -> new JedisConnectionFactory(cluster(address), client);
		};
		factory.afterPropertiesSet();
		factory.start();
		return factory;
	}

	private static JedisClientConfiguration client(@Nullable Tls tls, Duration connectTimeout, Duration readTimeout) {
		JedisClientConfigurationBuilder builder = JedisClientConfiguration.builder()
			.connectTimeout(connectTimeout)
			.readTimeout(readTimeout)
			.clientName("asynq-cli");
		if (tls != null) {
			Certificates certificates = new Certificates(tls);
			builder.useSsl().sslSocketFactory(certificates.socketFactory()).sslParameters(certificates.parameters());
		}
		// One connection that is kept, for work that takes many calls
		builder.usePooling().poolConfig(new SmallPool());
		return builder.build();
	}

	private static RedisStandaloneConfiguration standalone(RedisAddress address) {
		Node node = address.nodes().get(0);
		RedisStandaloneConfiguration configuration = new RedisStandaloneConfiguration(node.host(), node.port());
		configuration.setDatabase(address.database());
		configuration.setUsername(address.login().username());
		configuration.setPassword(password(address));
		return configuration;
	}

	private static RedisSentinelConfiguration sentinel(RedisAddress address) {
		RedisSentinelConfiguration configuration = new RedisSentinelConfiguration();
		configuration.setMaster(String.valueOf(address.master()));
		address.nodes().forEach((node) -> configuration.sentinel(node.host(), node.port()));
		configuration.setDatabase(address.database());
		configuration.setUsername(address.login().username());
		configuration.setPassword(password(address));
		return configuration;
	}

	private static RedisClusterConfiguration cluster(RedisAddress address) {
		RedisClusterConfiguration configuration = new RedisClusterConfiguration();
		address.nodes().forEach((node) -> configuration.addClusterNode(new RedisNode(node.host(), node.port())));
		configuration.setUsername(address.login().username());
		configuration.setPassword(password(address));
		return configuration;
	}

	private static RedisPassword password(RedisAddress address) {
		return RedisPassword.of(address.login().password());
	}

}
