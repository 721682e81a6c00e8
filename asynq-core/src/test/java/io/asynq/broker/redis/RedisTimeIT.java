package io.asynq.broker.redis;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

import io.asynq.broker.LeasedTask;
import io.asynq.broker.SemaphoreStore.Token;
import io.asynq.test.RedisExtension;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.data.redis.connection.RedisConnection;
import org.springframework.data.redis.connection.RedisConnectionFactory;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What servers agree on by Redis's time, whatever their own clocks say.
 */
@ExtendWith(RedisExtension.class)
class RedisTimeIT {

	private static final String QUEUE = "default";

	private final RedisConnectionFactory factory;

	private final RedisState state;

	private final RedisBroker ahead;

	private final long start;

	RedisTimeIT(RedisConnectionFactory factory) {
		this.factory = factory;
		this.state = new RedisState(factory);
		this.ahead = new RedisBroker(factory, Clock.offset(Clock.systemUTC(), Duration.ofHours(1)),
				RedisBroker.DEFAULT_LEASE_DURATION, (task) -> {
				});
		this.start = redisSeconds();
	}

	@Test
	void leasesEndByRedisTime() {
		this.state.seedPending(RedisState.message(QUEUE, "t1").build());
		LeasedTask task = this.ahead.dequeuer().dequeue(QUEUE, 1).tasks().get(0);
		assertLease(task);
		this.ahead.leases().extend(QUEUE, List.of(task.lease()));
		assertLease(task);
		this.state.redis().delete("asynq:{default}:lease");
		this.ahead.leases().attachLease(QUEUE, List.of("t1"), RedisBroker.DEFAULT_LEASE_DURATION);
		assertLease(task);
	}

	@Test
	void noTokenIsTakenForFreeBecauseAClockIsAhead() {
		RedisBroker other = new RedisBroker(this.factory, Clock.systemUTC(), RedisBroker.DEFAULT_LEASE_DURATION,
				(task) -> {
				});
		assertThat(other.semaphores().acquire("api", 1, new Token("t1", "a", Duration.ofMinutes(1)))).isTrue();
		assertThat(this.ahead.semaphores().acquire("api", 1, new Token("t2", "b", Duration.ofMinutes(1)))).isFalse();
	}

	@Test
	void whatIsDueIsForwardedByRedisTime() {
		Instant now = Instant.ofEpochSecond(this.start);
		this.state.seedScheduled(now.plusSeconds(1800), RedisState.message(QUEUE, "later").build());
		this.state.seedScheduled(now.minusSeconds(1), RedisState.message(QUEUE, "due").build());
		assertThat(this.ahead.forwarder().forward(QUEUE).moved()).isEqualTo(1);
		this.state.assertPending(QUEUE, "due");
		this.state.assertScheduled(QUEUE, "later");
	}

	private void assertLease(LeasedTask task) {
		assertThat(this.state.scores(QUEUE, "lease").get(task.message().id())).isBetween(this.start + 30,
				redisSeconds() + 30);
	}

	private long redisSeconds() {
		try (RedisConnection connection = this.factory.getConnection()) {
			return connection.serverCommands().time() / 1000;
		}
	}

}
