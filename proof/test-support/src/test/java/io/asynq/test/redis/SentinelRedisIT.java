package io.asynq.test.redis;

import java.time.Duration;

import org.junit.jupiter.api.Test;
import org.springframework.data.redis.core.StringRedisTemplate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

class SentinelRedisIT {

	@Test
	void promotesReplicaOfKilledMasterAndReadmitsIt() {
		try (SentinelRedis redis = SentinelRedis.start()) {
			StringRedisTemplate template = new StringRedisTemplate(redis.connections());
			template.opsForValue().set("key", "value");
			assertThat(redis.master().<Long>call((jedis) -> jedis.waitReplicas(2, 20_000))).isEqualTo(2);
			RedisNode first = redis.master();

			assertThat(redis.failOver()).isSameAs(first);

			assertThat(redis.master()).isNotSameAs(first);
			assertThat(redis.master().<String>call((jedis) -> jedis.get("key"))).isEqualTo("value");
			await().ignoreExceptions()
				.untilAsserted(() -> assertThat(template.opsForValue().get("key")).isEqualTo("value"));
			first.restart();
			redis.awaitReplicas(2);
		}
	}

}
