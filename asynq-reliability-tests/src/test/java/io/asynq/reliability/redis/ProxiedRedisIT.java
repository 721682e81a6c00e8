package io.asynq.reliability.redis;

import java.net.SocketTimeoutException;
import java.nio.file.Path;
import java.time.Duration;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import redis.clients.jedis.Jedis;
import redis.clients.jedis.exceptions.JedisConnectionException;

import org.springframework.core.NestedExceptionUtils;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class ProxiedRedisIT {

	private static ProxiedRedis redis;

	@BeforeAll
	static void start() {
		redis = ProxiedRedis.start(Path.of(""));
	}

	@AfterAll
	static void end() {
		redis.close();
	}

	@BeforeEach
	void heal() {
		redis.heal();
		redis.node().call((jedis) -> jedis.flushDB());
	}

	@Test
	void delaysRequests() {
		redis.delay(Duration.ofMillis(100));
		try (Jedis jedis = throughProxy(5000)) {
			jedis.connect();
			long begin = System.nanoTime();
			jedis.ping();
			assertThat(Duration.ofNanos(System.nanoTime() - begin)).isGreaterThanOrEqualTo(Duration.ofMillis(100));
		}
	}

	@Test
	void letsARequestArriveAndCutsTheConnectionInsteadOfAnswering() {
		try (Jedis jedis = throughProxy(5000)) {
			jedis.connect();
			redis.dropAnswers(Duration.ofMillis(200));
			assertThatExceptionOfType(JedisConnectionException.class).isThrownBy(() -> jedis.set("key", "value"))
				.satisfies((error) -> assertThat(NestedExceptionUtils.getMostSpecificCause(error))
					.isNotInstanceOf(SocketTimeoutException.class));
		}
		assertThat(redis.node().<String>call((jedis) -> jedis.get("key"))).isEqualTo("value");
	}

	@Test
	void goesSilentWithoutClosingAnything() {
		try (Jedis jedis = throughProxy(300)) {
			jedis.connect();
			redis.silence();
			assertThatExceptionOfType(JedisConnectionException.class).isThrownBy(() -> jedis.set("key", "value"))
				.withRootCauseInstanceOf(SocketTimeoutException.class);
		}
		assertThat(redis.node().<String>call((jedis) -> jedis.get("key"))).isNull();
		redis.heal();
		try (Jedis jedis = throughProxy(5000)) {
			assertThat(jedis.ping()).isEqualTo("PONG");
		}
	}

	private static Jedis throughProxy(int timeoutMillis) {
		String[] address = redis.goAddress().split(":");
		return new Jedis(address[0], Integer.parseInt(address[1]), timeoutMillis);
	}

}
