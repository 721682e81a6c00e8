package io.asynq.reliability;

import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;

import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.RedisZSetCommands.ZAddArgs;
import org.springframework.data.redis.core.RedisCallback;
import org.springframework.data.redis.core.StringRedisTemplate;

/** Staged sets that no server continues with. */
final class StaleSets {

	/** No aggregator of these tests takes that long. */
	private static final Duration FORGOTTEN = Duration.ofSeconds(4);

	private final StringRedisTemplate redis;

	private final Clock clock;

	/** When each set was first seen, {@link Instant#MAX} once its time was ended. */
	private final Map<String, Instant> seen = new HashMap<>();

	StaleSets(RedisConnectionFactory connections, Clock clock) {
		this.redis = new StringRedisTemplate(connections);
		this.clock = clock;
	}

	/** Ends the time of all sets once all of them have existed for a while. */
	boolean expire(Collection<String> queues) {
		Instant now = this.clock.instant();
		Map<String, String> sets = new HashMap<>();
		try {
			queues.forEach((queue) -> sets(queue).forEach((set) -> sets.put(set, key(queue))));
			sets.keySet().forEach((set) -> this.seen.putIfAbsent(set, now));
			if (sets.isEmpty() || !sets.keySet().stream().allMatch((set) -> isForgotten(set, now))) {
				return false;
			}
			sets.forEach((set, key) -> expire(key, set, now));
			return true;
		}
		catch (RuntimeException ex) {
			// Redis may still be starting
			return false;
		}
	}

	private Collection<String> sets(String queue) {
		return Objects.requireNonNull(this.redis.opsForZSet().range(key(queue), 0, -1));
	}

	private boolean isForgotten(String set, Instant now) {
		return this.seen.get(set).isBefore(now.minus(FORGOTTEN));
	}

	private void expire(String key, String set, Instant now) {
		this.redis.execute((RedisCallback<Boolean>) (connection) -> connection.zSetCommands()
			.zAdd(bytes(key), now.getEpochSecond(), bytes(set), ZAddArgs.ifExists()));
		this.seen.put(set, Instant.MAX);
	}

	private static byte[] bytes(String text) {
		return text.getBytes(StandardCharsets.UTF_8);
	}

	private static String key(String queue) {
		return "asynq:{" + queue + "}:aggregation_sets";
	}

}
