package io.asynq.internal.redis;

import java.time.Clock;
import java.util.stream.Stream;

import io.asynq.internal.broker.RedisBroker;
import io.asynq.test.TestRedis;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.RedisStandaloneConfiguration;
import org.springframework.data.redis.connection.jedis.JedisConnectionFactory;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * The errors that users read when Redis refuses or is unavailable, over both drivers.
 */
class WrongPasswordIT {

	private static TestRedis redis;

	@BeforeAll
	static void start() {
		redis = TestRedis.startOwn("requirepass secret");
	}

	@AfterAll
	static void stop() {
		redis.stop();
	}

	@ParameterizedTest
	@MethodSource("factories")
	void missingPasswordIsReported(RedisConnectionFactory factory) throws Exception {
		RedisBroker broker = new RedisBroker(factory, Clock.systemUTC(), RedisBroker.DEFAULT_LEASE_DURATION, (task) -> {
		});
		assertThatExceptionOfType(LoginRefusedException.class).isThrownBy(() -> broker.queues().ping())
			.withMessageContaining("spring.data.redis.password");
		((DisposableBean) factory).destroy();
	}

	static Stream<RedisConnectionFactory> factories() {
		RedisStandaloneConfiguration configuration = new RedisStandaloneConfiguration(redis.host(), redis.port());
		JedisConnectionFactory jedis = new JedisConnectionFactory(configuration);
		jedis.afterPropertiesSet();
		jedis.start();
		LettuceConnectionFactory lettuce = new LettuceConnectionFactory(configuration);
		lettuce.afterPropertiesSet();
		lettuce.start();
		return Stream.of(jedis, lettuce);
	}

}
