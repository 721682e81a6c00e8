package io.asynq.internal.enqueue;

import java.time.Clock;

import io.asynq.internal.redis.ScriptTime;
import org.junit.jupiter.api.Test;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.jedis.JedisConnectionFactory;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests of who may share calls.
 */
class LinesTests {

	@Test
	void springsOwnConnectionsAreTheSameForAllThreads() {
		assertThat(lines(new JedisConnectionFactory()).areOpen()).isTrue();
		assertThat(lines(new LettuceConnectionFactory()).areOpen()).isTrue();
	}

	@Test
	void otherConnectionsMayDependOnTheThread() {
		assertThat(lines(new JedisConnectionFactory() {
		}).areOpen()).isFalse();
		assertThat(lines(new LettuceConnectionFactory() {
		}).areOpen()).isFalse();
	}

	private static Lines lines(RedisConnectionFactory connections) {
		return new Lines(new StoreCalls(null, Clock.systemUTC(), ScriptTime.REDIS, null), connections);
	}

}
