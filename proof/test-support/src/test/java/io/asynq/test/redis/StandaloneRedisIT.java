package io.asynq.test.redis;

import java.time.Duration;
import java.time.Instant;

import org.junit.jupiter.api.Test;
import org.springframework.data.redis.core.StringRedisTemplate;
import redis.clients.jedis.Jedis;
import redis.clients.jedis.exceptions.JedisConnectionException;
import redis.clients.jedis.exceptions.JedisDataException;
import redis.clients.jedis.params.SetParams;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assumptions.assumeThat;
import static org.awaitility.Awaitility.await;

class StandaloneRedisIT {

	/** Seconds by which a busy machine may answer late. */
	private static final long ROUNDING = 60;

	@Test
	void keepsAcknowledgedWritesOverKillWithSyncedLog() {
		try (StandaloneRedis redis = StandaloneRedis.start("appendonly yes", "appendfsync always")) {
			StringRedisTemplate template = new StringRedisTemplate(redis.connections());
			template.opsForValue().set("key", "value");
			redis.node().kill();
			assertThat(redis.node().isAlive()).isFalse();
			redis.node().restart();
			assertThat(redis.node().<String>call((jedis) -> jedis.get("key"))).isEqualTo("value");
		}
	}

	@Test
	void forgetsEverythingOverKillWithoutLog() {
		try (StandaloneRedis redis = StandaloneRedis.start()) {
			redis.node().call((jedis) -> jedis.set("key", "value"));
			redis.node().kill();
			redis.node().restart();
			assertThat(redis.node().<String>call((jedis) -> jedis.get("key"))).isNull();
		}
	}

	@Test
	void answersNothingWhilePaused() {
		try (StandaloneRedis redis = StandaloneRedis.start()) {
			redis.node().pause();
			// The constructor already asks
			assertThatExceptionOfType(JedisConnectionException.class)
				.isThrownBy(() -> new Jedis(Ports.HOST, redis.node().port(), 2000));
			redis.node().resume();
			assertThat(redis.node().<String>call((jedis) -> jedis.ping())).isEqualTo("PONG");
		}
	}

	@Test
	void rejectsWritesWhileDiskIsFullAndAcceptsThemAgain() {
		try (StandaloneRedis redis = StandaloneRedis.start("appendonly yes", "appendfsync everysec")) {
			redis.node().fillDisk();
			await().untilAsserted(() -> assertThatExceptionOfType(JedisDataException.class)
				.isThrownBy(() -> redis.node().call((jedis) -> jedis.set("key", "value")))
				.withMessageStartingWith("MISCONF"));
			redis.node().makeRoom();
			await().ignoreExceptions()
				.untilAsserted(() -> assertThat(redis.node().<String>call((jedis) -> jedis.set("key", "value")))
					.isEqualTo("OK"));
		}
	}

	@Test
	void expiresKeysByItsShiftedClock() {
		assumeThat(FakedTime.isAvailable()).isTrue();
		try (StandaloneRedis redis = StandaloneRedis.startWithClock()) {
			RedisNode node = redis.node();
			assertThat(ahead(node)).isBetween(-ROUNDING, ROUNDING);
			node.call((jedis) -> jedis.set("key", "value", SetParams.setParams().ex(1800)));
			node.setClock(Duration.ofHours(1));
			assertThat(ahead(node)).isBetween(3600 - ROUNDING, 3600 + ROUNDING);
			assertThat(node.<String>call((jedis) -> jedis.get("key"))).isNull();
			node.setClock(Duration.ofHours(-1));
			assertThat(ahead(node)).isBetween(-3600 - ROUNDING, -3600 + ROUNDING);
			// Its timers follow the real clock: it deletes keys that nobody reads
			node.call((jedis) -> jedis.set("key", "value", SetParams.setParams().px(1)));
			await().until(() -> node.<Long>call((jedis) -> jedis.dbSize()) == 0);
		}
	}

	@Test
	void leavesNoDirectoryBehind() {
		StandaloneRedis redis = StandaloneRedis.start();
		assertThat(redis.node().folder()).exists();
		redis.close();
		assertThat(redis.node().folder()).doesNotExist();
		assertThat(redis.node().isAlive()).isFalse();
	}

	private static long ahead(RedisNode node) {
		return node.<Long>call((jedis) -> Long.parseLong(jedis.time().get(0))) - Instant.now().getEpochSecond();
	}

}
