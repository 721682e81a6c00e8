package io.asynq.test.redis;

import java.time.Duration;
import java.util.List;
import java.util.Map;

import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.RedisStandaloneConfiguration;
import org.springframework.data.redis.connection.jedis.JedisClientConfiguration;
import org.springframework.data.redis.connection.jedis.JedisConnectionFactory;

public final class StandaloneRedis implements ClockedRedis {

	/** For checkers, also on a machine on which Redis gets little CPU time. */
	private static final Duration PATIENCE = Duration.ofSeconds(20);

	private final RedisNode node;

	private final JedisConnectionFactory connections;

	private final JedisConnectionFactory producerConnections;

	private StandaloneRedis(RedisNode node) {
		this.node = node;
		this.connections = started(
				new JedisConnectionFactory(new RedisStandaloneConfiguration(Ports.HOST, node.port()), patient()));
		this.producerConnections = connections(Ports.HOST, node.port());
	}

	/**
	 * Keeps nothing on disk unless a setting says so.
	 * @param settings lines of its configuration file, such as {@code appendonly yes}
	 */
	public static StandaloneRedis start(String... settings) {
		return new StandaloneRedis(RedisNode.start(Ports.free(), List.of(settings)));
	}

	public static StandaloneRedis startWithClock() {
		return new StandaloneRedis(RedisNode.startWithClock(Ports.free(), List.of()));
	}

	public RedisNode node() {
		return this.node;
	}

	@Override
	public void setClock(Duration ahead) {
		this.node.setClock(ahead);
	}

	@Override
	public Map<String, String> springProperties() {
		return springProperties(Ports.HOST, this.node.port());
	}

	@Override
	public RedisConnectionFactory connections() {
		return this.connections;
	}

	@Override
	public RedisConnectionFactory producerConnections() {
		return this.producerConnections;
	}

	@Override
	public String goAddress() {
		return this.node.address();
	}

	@Override
	public void close() {
		this.connections.destroy();
		this.producerConnections.destroy();
		this.node.close();
	}

	static Map<String, String> springProperties(String host, int port) {
		return Map.of("spring.data.redis.host", host, "spring.data.redis.port", String.valueOf(port));
	}

	static JedisClientConfiguration patient() {
		return JedisClientConfiguration.builder().readTimeout(PATIENCE).usePooling().build();
	}

	static JedisConnectionFactory connections(String host, int port) {
		return started(new JedisConnectionFactory(new RedisStandaloneConfiguration(host, port)));
	}

	static JedisConnectionFactory started(JedisConnectionFactory factory) {
		factory.afterPropertiesSet();
		factory.start();
		return factory;
	}

}
