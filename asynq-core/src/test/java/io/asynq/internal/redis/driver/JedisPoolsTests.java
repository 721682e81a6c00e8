package io.asynq.internal.redis.driver;

import org.junit.jupiter.api.Test;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.RedisSentinelConfiguration;
import org.springframework.data.redis.connection.RedisStandaloneConfiguration;
import org.springframework.data.redis.connection.jedis.JedisClientConfiguration;
import org.springframework.data.redis.connection.jedis.JedisConnectionFactory;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

import static org.assertj.core.api.Assertions.assertThat;

class JedisPoolsTests {

	private final RedisStandaloneConfiguration standalone = new RedisStandaloneConfiguration();

	private final JedisClientConfiguration pooled = JedisClientConfiguration.builder().usePooling().build();

	@Test
	void seesPoolOfJedis() {
		assertThat(JedisPools.of(new JedisConnectionFactory(this.standalone, this.pooled))).isNotNull();
	}

	@Test
	void seesNoPoolOfOthersAndWhereJedisHidesIt() {
		JedisConnectionFactory old = new JedisConnectionFactory(this.standalone, this.pooled);
		old.setUseUnifiedJedis(false);
		RedisConnectionFactory[] factories = { old, new LettuceConnectionFactory(),
				new JedisConnectionFactory(new RedisSentinelConfiguration().master("m").sentinel("localhost", 1),
						this.pooled),
				new JedisConnectionFactory(this.standalone, this.pooled) {
				} };
		assertThat(factories).extracting(JedisPools::of).containsOnlyNulls();
	}

	@Test
	void factoryThatIsNotStartedHasNoConnections() {
		assertThat(JedisPools.of(new JedisConnectionFactory(this.standalone, this.pooled)).get()).isNull();
	}

}
