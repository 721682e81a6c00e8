package io.asynq.reliability;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

import io.asynq.test.redis.StandaloneRedis;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import redis.clients.jedis.Jedis;

import static org.assertj.core.api.Assertions.assertThat;

class StaleSetsIT {

	private static final String KEY = "asynq:{low}:aggregation_sets";

	private static final List<String> QUEUES = List.of("low", "default");

	private final StandaloneRedis redis = StandaloneRedis.start();

	private Instant now = Instant.parse("2026-01-02T03:04:05Z");

	private final Clock clock = ((InstantSource) () -> this.now).withZone(ZoneOffset.UTC);

	private final StaleSets sets = new StaleSets(this.redis.connections(), this.clock);

	@AfterEach
	void end() {
		this.redis.close();
	}

	@Test
	void expiresRemainingSetsOnce() {
		add("a", "b");
		assertThat(this.sets.expire(QUEUES)).isFalse();
		pass(5);
		assertThat(this.sets.expire(QUEUES)).isTrue();
		double end = this.now.getEpochSecond();
		assertThat(scores()).isEqualTo(Map.of("a", end, "b", end));
		pass(5);
		assertThat(this.sets.expire(QUEUES)).isFalse();
		assertThat(scores()).containsEntry("a", end);
	}

	@Test
	void waitsWhileThereIsNewSet() {
		add("a");
		this.sets.expire(QUEUES);
		pass(5);
		add("b");
		assertThat(this.sets.expire(QUEUES)).isFalse();
		this.redis.node().call((jedis) -> jedis.zrem(KEY, "b"));
		assertThat(this.sets.expire(QUEUES)).isTrue();
		assertThat(scores()).containsOnlyKeys("a");
	}

	@Test
	void doesNothingWithoutStagedSets() {
		assertThat(this.sets.expire(QUEUES)).isFalse();
	}

	private void add(String... names) {
		this.redis.node().<Void>call((jedis) -> {
			for (String name : names) {
				jedis.zadd(KEY, this.now.getEpochSecond() + 120, name);
			}
			return null;
		});
	}

	private Map<String, Double> scores() {
		return this.redis.node()
			.call((Jedis jedis) -> jedis.zrangeWithScores(KEY, 0, -1)
				.stream()
				.collect(Collectors.toMap((entry) -> entry.getElement(), (entry) -> entry.getScore())));
	}

	private void pass(int seconds) {
		this.now = this.now.plus(Duration.ofSeconds(seconds));
	}

}
