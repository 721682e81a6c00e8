package io.asynq.reliability.redis;

import java.util.Random;
import java.util.stream.IntStream;

import org.junit.jupiter.api.Test;
import redis.clients.jedis.util.JedisClusterCRC16;

import org.springframework.data.redis.core.StringRedisTemplate;

import static org.assertj.core.api.Assertions.assertThat;

class ClusterRedisIT {

	@Test
	void movesASlotWithItsKeysAndPromotesAReplicaWhenAMasterIsKilled() {
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

}
