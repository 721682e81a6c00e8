package io.asynq.test.redis;

import java.util.Map;

import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.jedis.JedisConnectionFactory;

public final class ProxiedRedis implements RedisSetup {

	private final StandaloneRedis redis;

	private final Toxiproxy proxy;

	private final JedisConnectionFactory through;

	private ProxiedRedis(StandaloneRedis redis, Toxiproxy proxy) {
		this.redis = redis;
		this.proxy = proxy;
		this.through = StandaloneRedis.connections(Ports.HOST, proxy.port());
	}

	/**
	 * @param settings lines of Redis's configuration file
	 */
	public static ProxiedRedis start(String... settings) {
		StandaloneRedis redis = StandaloneRedis.start(settings);
		return new ProxiedRedis(redis, Toxiproxy.start(redis.goAddress()));
	}

	public Toxiproxy proxy() {
		return this.proxy;
	}

	public RedisNode node() {
		return this.redis.node();
	}

	@Override
	public Map<String, String> springProperties() {
		return StandaloneRedis.springProperties(Ports.HOST, this.proxy.port());
	}

	@Override
	public RedisConnectionFactory connections() {
		return this.redis.connections();
	}

	@Override
	public RedisConnectionFactory producerConnections() {
		return this.through;
	}

	@Override
	public String goAddress() {
		return this.proxy.address();
	}

	@Override
	public void close() {
		this.through.destroy();
		this.proxy.close();
		this.redis.close();
	}

}
