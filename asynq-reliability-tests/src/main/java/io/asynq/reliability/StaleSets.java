package io.asynq.reliability;

import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.util.Collection;
import java.util.Objects;
import java.util.Set;

import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.RedisZSetCommands.ZAddArgs;
import org.springframework.data.redis.core.RedisCallback;
import org.springframework.data.redis.core.StringRedisTemplate;

/**
 * What servers had staged for aggregators and nobody goes on with. It goes back to its
 * group after two minutes, which no setting shortens: a quick run ends that time in
 * Redis, and does nothing else to it.
 */
final class StaleSets {

	private static final Duration LIFE = Duration.ofMinutes(2);

	/** No aggregator of these tests takes so long. */
	private static final Duration FORGOTTEN = Duration.ofSeconds(5);

	private final StringRedisTemplate redis;

	private final Clock clock;

	StaleSets(RedisConnectionFactory connections, Clock clock) {
		this.redis = new StringRedisTemplate(connections);
		this.clock = clock;
	}

	/**
	 * Ends the time of all sets, once all of them were staged some while ago.
	 * @param queues the queues
	 * @return whether there were any: then a server should start, because servers look
	 * for them once a minute, and at their start
	 */
	boolean expire(Collection<String> queues) {
		double now = this.clock.instant().getEpochSecond();
		double forgotten = now + LIFE.minus(FORGOTTEN).toSeconds();
		try {
			if (queues.stream().anyMatch((queue) -> count(queue, forgotten, Double.POSITIVE_INFINITY) > 0)) {
				return false;
			}
			return queues.stream().mapToLong((queue) -> expire(queue, now, forgotten)).sum() > 0;
		}
		catch (RuntimeException ex) {
			// Redis may still be on its way back
			return false;
		}
	}

	private long count(String queue, double from, double to) {
		return Objects.requireNonNull(this.redis.opsForZSet().count(key(queue), from, to));
	}

	private long expire(String queue, double now, double forgotten) {
		Set<String> sets = Objects.requireNonNull(this.redis.opsForZSet().rangeByScore(key(queue), now + 1, forgotten));
		sets.forEach((set) -> this.redis.execute((RedisCallback<Boolean>) (connection) -> connection.zSetCommands()
			.zAdd(bytes(key(queue)), now, bytes(set), ZAddArgs.ifExists())));
		return sets.size();
	}

	private static byte[] bytes(String text) {
		return text.getBytes(StandardCharsets.UTF_8);
	}

	private static String key(String queue) {
		return "asynq:{" + queue + "}:aggregation_sets";
	}

}
