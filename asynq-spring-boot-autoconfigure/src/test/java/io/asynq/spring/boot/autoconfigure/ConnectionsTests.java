package io.asynq.spring.boot.autoconfigure;

import io.asynq.operations.preflight.Finding;
import io.lettuce.core.ReadFrom;
import org.apache.commons.pool2.impl.GenericObjectPoolConfig;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.data.redis.connection.RedisSentinelConfiguration;
import org.springframework.data.redis.connection.RedisStandaloneConfiguration;
import org.springframework.data.redis.connection.jedis.JedisClientConfiguration;
import org.springframework.data.redis.connection.jedis.JedisConnectionFactory;
import org.springframework.data.redis.connection.lettuce.LettuceClientConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import redis.clients.jedis.Connection;

import static org.assertj.core.api.Assertions.assertThat;

class ConnectionsTests {

	private static final RedisSentinelConfiguration SENTINEL = new RedisSentinelConfiguration().master("main")
		.sentinel("localhost", 26379);

	@ParameterizedTest
	@CsvSource({ "8, 100, false", "1, 1, false", "5, 1, true", "12, 100, true", "-1, 100, true" })
	void isLargeEnough(int size, int concurrency, boolean shared) {
		assertThat(Connections.checkPool(jedis(size), concurrency, shared)).isEmpty();
	}

	@ParameterizedTest
	@CsvSource({ "7, 100, false, 8", "1, 2, false, 2", "8, 100, true, 12", "4, 1, true, 5" })
	void isTooSmall(int size, int concurrency, boolean shared, int needed) {
		assertThat(Connections.checkPool(jedis(size), concurrency, shared)).singleElement()
			.extracting(Finding::fix)
			.isEqualTo("set spring.data.redis.jedis.pool.max-active=" + needed);
	}

	@Test
	void connectionsWithoutPoolAreEnough() {
		RedisStandaloneConfiguration redis = new RedisStandaloneConfiguration();
		assertThat(Connections.checkPool(new LettuceConnectionFactory(redis), 100, true)).isEmpty();
		assertThat(Connections.checkPool(new JedisConnectionFactory(redis, JedisClientConfiguration.builder().build()),
				100, true))
			.isEmpty();
	}

	@Test
	void warnsOfLettuceBesideSentinelWithLineToAdd() {
		assertThat(Connections.checkSentinel(new LettuceConnectionFactory(SENTINEL))).singleElement()
			.extracting(Finding::fix)
			.isEqualTo("set spring.data.redis.lettuce.read-from=upstream");
	}

	@Test
	void isSilentWhereTheDriverFollows() {
		LettuceClientConfiguration upstream = LettuceClientConfiguration.builder().readFrom(ReadFrom.UPSTREAM).build();
		assertThat(Connections.checkSentinel(new LettuceConnectionFactory(SENTINEL, upstream))).isEmpty();
		assertThat(Connections.checkSentinel(new JedisConnectionFactory(SENTINEL))).isEmpty();
		assertThat(Connections.checkSentinel(new LettuceConnectionFactory())).isEmpty();
	}

	private static JedisConnectionFactory jedis(int size) {
		GenericObjectPoolConfig<Connection> pool = new GenericObjectPoolConfig<>();
		pool.setMaxTotal(size);
		return new JedisConnectionFactory(new RedisStandaloneConfiguration(),
				JedisClientConfiguration.builder().usePooling().poolConfig(pool).build());
	}

}
