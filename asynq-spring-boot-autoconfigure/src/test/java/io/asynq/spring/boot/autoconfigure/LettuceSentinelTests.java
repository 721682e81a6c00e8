package io.asynq.spring.boot.autoconfigure;

import io.asynq.internal.check.Finding;
import io.lettuce.core.ReadFrom;
import org.junit.jupiter.api.Test;
import org.springframework.data.redis.connection.RedisSentinelConfiguration;
import org.springframework.data.redis.connection.jedis.JedisConnectionFactory;
import org.springframework.data.redis.connection.lettuce.LettuceClientConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

import static org.assertj.core.api.Assertions.assertThat;

class LettuceSentinelTests {

	private static final RedisSentinelConfiguration SENTINEL = new RedisSentinelConfiguration().master("main")
		.sentinel("localhost", 26379);

	@Test
	void warnsOfLettuceBesideSentinelWithLineToAdd() {
		assertThat(LettuceSentinel.check(new LettuceConnectionFactory(SENTINEL))).singleElement()
			.extracting(Finding::fix)
			.isEqualTo("set spring.data.redis.lettuce.read-from=upstream");
	}

	@Test
	void isSilentWhereTheDriverFollows() {
		LettuceClientConfiguration upstream = LettuceClientConfiguration.builder().readFrom(ReadFrom.UPSTREAM).build();
		assertThat(LettuceSentinel.check(new LettuceConnectionFactory(SENTINEL, upstream))).isEmpty();
		assertThat(LettuceSentinel.check(new JedisConnectionFactory(SENTINEL))).isEmpty();
		assertThat(LettuceSentinel.check(new LettuceConnectionFactory())).isEmpty();
	}

}
