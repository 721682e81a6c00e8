package io.asynq.interop;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;

import io.asynq.internal.broker.RedisBroker;
import io.asynq.internal.limit.SemaphoreStore;
import io.asynq.internal.limit.SemaphoreStore.Token;
import io.asynq.interop.peer.RatePeer;
import io.asynq.test.RedisExtension;
import io.asynq.test.TestRedis;
import io.asynq.test.process.RequiresGo;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.core.StringRedisTemplate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Semaphores of Go's {@code x/rate} and of Java are the same.
 */
@RequiresGo
@ExtendWith(RedisExtension.class)
@Timeout(300)
class SemaphoresIT {

	private final SemaphoreStore java;

	private final StringRedisTemplate redis;

	SemaphoresIT(RedisConnectionFactory factory) {
		this.java = new RedisBroker(factory, Clock.systemUTC(), RedisBroker.DEFAULT_LEASE_DURATION, (task) -> {
		}).semaphores();
		this.redis = new StringRedisTemplate(factory);
	}

	@Test
	void bothShareTokensOfScope() {
		try (RatePeer go = new RatePeer(TestRedis.shared().uri(), "api", 2)) {
			assertThat(go.acquire("g1")).isTrue();
			assertThat(this.java.acquire("api", 2, token("j1"))).isTrue();
			assertThat(this.java.acquire("api", 2, token("j2"))).isFalse();
			assertThat(go.acquire("g2")).isFalse();
			assertThat(this.java.release("api", token("j1"))).isTrue();
			assertThat(go.acquire("g3")).isTrue();
			assertThat(this.java.acquire("api", 2, token("j2"))).isFalse();
			assertThat(go.release("g1")).isEqualTo("released");
			assertThat(this.java.acquire("api", 2, token("j2"))).isTrue();
		}
	}

	@Test
	void bothStoreTokensAlike() {
		try (RatePeer go = new RatePeer(TestRedis.shared().uri(), "api", 2)) {
			go.acquire("g1");
			long end = this.redis.opsForZSet().score("asynq:sema:api", "g1").longValue();
			// The time-out of the task is one minute
			assertThat(Instant.ofEpochSecond(end)).isBetween(Instant.now().plusSeconds(50),
					Instant.now().plusSeconds(60));
			// Ends are whole seconds, rounded up, counted from the arrival of the call,
			// which
			// may take its time
			await().untilAsserted(() -> {
				this.redis.opsForZSet().remove("asynq:sema:api", "j1");
				Duration left = Duration.between(Instant.now(), Instant.ofEpochSecond(end)).minusMillis(900);
				this.java.acquire("api", 2, new Token("j1", "attempt", left));
				assertThat(this.redis.opsForZSet().rangeWithScores("asynq:sema:api", 0, -1))
					.extracting((tuple) -> Map.entry(tuple.getValue(), tuple.getScore()))
					.containsExactly(Map.entry("g1", (double) end), Map.entry("j1", (double) end));
			});
		}
	}

	@Test
	void bothReleaseExpiredTokens() {
		try (RatePeer go = new RatePeer(TestRedis.shared().uri(), "api", 1)) {
			this.java.acquire("api", 1, new Token("j1", "attempt", Duration.ofSeconds(-3)));
			assertThat(go.acquire("g1")).isTrue();
			assertThat(this.redis.opsForZSet().range("asynq:sema:api", 0, -1)).containsExactly("g1");
		}
	}

	private static Token token(String taskId) {
		return new Token(taskId, "attempt", Duration.ofHours(1));
	}

}
