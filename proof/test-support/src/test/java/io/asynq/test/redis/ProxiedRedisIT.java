package io.asynq.test.redis;

import java.net.SocketTimeoutException;
import java.time.Duration;

import io.asynq.test.process.RequiresGo;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.core.NestedExceptionUtils;
import redis.clients.jedis.Jedis;
import redis.clients.jedis.exceptions.JedisConnectionException;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

@RequiresGo
class ProxiedRedisIT {

	private static ProxiedRedis redis;

	@BeforeAll
	static void start() {
		redis = ProxiedRedis.start();
	}

	@AfterAll
	static void end() {
		redis.close();
	}

	@BeforeEach
	void heal() {
		redis.proxy().heal();
		redis.node().call((jedis) -> jedis.flushDB());
	}

	@Test
	void delaysRequests() {
		redis.proxy().delay(Duration.ofMillis(100));
		try (Jedis jedis = throughProxy(60_000)) {
			jedis.connect();
			long begin = System.nanoTime();
			jedis.ping();
			assertThat(Duration.ofNanos(System.nanoTime() - begin)).isGreaterThanOrEqualTo(Duration.ofMillis(100));
		}
	}

	@Test
	void deliversRequestAndCutsConnectionInsteadOfAnswering() {
		try (Jedis jedis = throughProxy(60_000)) {
			jedis.connect();
			// Time enough for the request to come through on a machine that stands still
			redis.proxy().dropAnswers(Duration.ofSeconds(3));
			assertThatExceptionOfType(JedisConnectionException.class).isThrownBy(() -> jedis.set("key", "value"))
				.satisfies((error) -> assertThat(NestedExceptionUtils.getMostSpecificCause(error))
					.isNotInstanceOf(SocketTimeoutException.class));
		}
		assertThat(redis.node().<String>call((jedis) -> jedis.get("key"))).isEqualTo("value");
	}

	@Test
	void goesSilentWithoutClosingConnections() {
		try (Jedis jedis = throughProxy(60_000)) {
			jedis.ping();
			jedis.getConnection().setSoTimeout(300);
			redis.proxy().silence();
			assertThatExceptionOfType(JedisConnectionException.class).isThrownBy(() -> jedis.set("key", "value"))
				.withRootCauseInstanceOf(SocketTimeoutException.class);
		}
		assertThat(redis.node().<String>call((jedis) -> jedis.get("key"))).isNull();
		redis.proxy().heal();
		try (Jedis jedis = throughProxy(60_000)) {
			assertThat(jedis.ping()).isEqualTo("PONG");
		}
	}

	private static Jedis throughProxy(int timeoutMillis) {
		return new Jedis(Ports.HOST, redis.proxy().port(), timeoutMillis);
	}

}
