package io.asynq.sample.redis;

import java.io.IOException;

import org.junit.jupiter.api.Test;
import redis.clients.jedis.Jedis;

import static org.assertj.core.api.Assertions.assertThat;

class EmbeddedRedisIT {

	@Test
	void isAtLeastVersionSevenAndPersistsNothing() throws IOException {
		EmbeddedRedis redis = EmbeddedRedis.start();
		try (Jedis jedis = new Jedis(redis.host(), redis.port())) {
			assertThat(jedis.info("server")).contains("redis_version:7.");
			assertThat(jedis.configGet("save").get("save")).isEmpty();
			assertThat(jedis.configGet("appendonly").get("appendonly")).isEqualTo("no");
		}
		finally {
			redis.stop();
		}
	}

}
