package io.asynq.test.redis;

import java.time.Duration;
import java.time.Instant;
import java.util.Random;
import java.util.stream.IntStream;

import org.junit.jupiter.api.Test;
import org.springframework.data.redis.core.StringRedisTemplate;
import redis.clients.jedis.util.JedisClusterCRC16;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;
import static org.awaitility.Awaitility.await;

class ClusterRedisIT {

	/** Seconds by which a busy machine may answer late. */
	private static final long BUSY = 60;

	@Test
	void movesSlotWithKeysAndPromotesReplicaOfKilledMaster() {
		int slot = JedisClusterCRC16.getSlot("{queue}");
		try (ClusterRedis redis = ClusterRedis.start()) {
			StringRedisTemplate template = new StringRedisTemplate(redis.connections());
			IntStream.range(0, 100).forEach((number) -> template.opsForValue().set("{queue}" + number, "value"));
			RedisNode first = redis.master(slot);

			redis.moveSlot(slot, new Random(1));

			RedisNode second = redis.master(slot);
			assertThat(second).isNotSameAs(first);
			assertThat(second.<Long>call((jedis) -> jedis.clusterCountKeysInSlot(slot))).isEqualTo(100);
			assertThat(template.opsForValue().get("{queue}7")).isEqualTo("value");

			assertThat(redis.killMaster(slot)).isSameAs(second);

			assertThat(redis.master(slot)).isNotSameAs(second);
			assertThat(template.opsForValue().get("{queue}99")).isEqualTo("value");
			second.restart();
			redis.awaitComplete();
		}
	}

	@Test
	void promotesUpToDateReplicasWithSkewedClocks() {
		assumeThat(FakedTime.isAvailable()).isTrue();
		int slot = JedisClusterCRC16.getSlot("key");
		try (ClusterRedis redis = ClusterRedis.startWithClocks()) {
			StringRedisTemplate template = new StringRedisTemplate(redis.connections());
			template.opsForValue().set("key", "value");
			RedisNode first = redis.master(slot);
			assertThat(ahead(first)).isBetween(-BUSY, BUSY);

			redis.setClock(Duration.ofHours(1));

			RedisNode second = redis.master(slot);
			assertThat(second).isNotSameAs(first);
			assertThat(ahead(second)).isBetween(3600 - BUSY, 3600 + BUSY);
			await().ignoreExceptions()
				.untilAsserted(() -> assertThat(template.opsForValue().get("key")).isEqualTo("value"));
			redis.setClock(Duration.ofHours(-1));

			assertThat(ahead(redis.master(slot))).isBetween(-3600 - BUSY, -3600 + BUSY);
			await().ignoreExceptions()
				.untilAsserted(() -> assertThat(template.opsForValue().get("key")).isEqualTo("value"));
		}
	}

	private static long ahead(RedisNode node) {
		return node.<Long>call((jedis) -> Long.parseLong(jedis.time().get(0))) - Instant.now().getEpochSecond();
	}

}
