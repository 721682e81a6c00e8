package io.asynq.test.redis;

import java.net.SocketTimeoutException;
import java.util.List;

import io.asynq.test.process.RequiresGo;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import redis.clients.jedis.Jedis;
import redis.clients.jedis.exceptions.JedisConnectionException;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

@RequiresGo
class LossyProxyIT {

	private final RedisNode redis = RedisNode.start(Ports.free(), List.of());

	private final LossyProxy proxy = LossyProxy.start(this.redis.port());

	@AfterEach
	void end() {
		this.proxy.close();
		this.redis.close();
	}

	@Test
	void dropsGivenNumberOfAnswersToMatchingRequests() {
		this.proxy.loseAnswersTo("lost", 2);
		for (int i = 1; i <= 2; i++) {
			try (Jedis jedis = throughProxy(60_000)) {
				assertThat(jedis.set("other", "value")).isEqualTo("OK");
				assertThatExceptionOfType(JedisConnectionException.class).isThrownBy(() -> jedis.incr("lost"));
			}
			assertThat(this.proxy.lost()).isEqualTo(i);
		}
		try (Jedis jedis = throughProxy(60_000)) {
			assertThat(jedis.incr("lost")).isEqualTo(3);
		}
		assertThat(this.proxy.lost()).isEqualTo(2);
	}

	@Test
	void closesOnlyConnectionWhoseAnswerIsDropped() {
		try (Jedis asking = throughProxy(60_000); Jedis other = throughProxy(60_000)) {
			asking.ping();
			other.ping();
			this.proxy.loseAnswerTo("lost");
			assertThatExceptionOfType(JedisConnectionException.class).isThrownBy(() -> asking.incr("lost"));
			assertThat(other.get("lost")).isEqualTo("1");
		}
	}

	@Test
	void strandsCurrentConnectionsOnly() {
		try (Jedis stranded = throughProxy(60_000)) {
			stranded.ping();
			stranded.getConnection().setSoTimeout(300);
			this.proxy.strand();
			assertThatExceptionOfType(JedisConnectionException.class).isThrownBy(stranded::ping)
				.withRootCauseInstanceOf(SocketTimeoutException.class);
		}
		try (Jedis jedis = throughProxy(60_000)) {
			assertThat(jedis.ping()).isEqualTo("PONG");
		}
	}

	private Jedis throughProxy(int timeoutMillis) {
		return new Jedis(Ports.HOST, this.proxy.port(), timeoutMillis);
	}

}
