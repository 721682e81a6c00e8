package io.asynq.broker.redis;

import java.time.Duration;
import java.util.concurrent.TimeUnit;

import io.asynq.broker.QueueTurns;
import org.junit.jupiter.api.Test;

import org.springframework.data.redis.connection.RedisConnectionFactory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * How servers take turns in a queue.
 */
@OnDrivers
class QueueTurnsContract extends BrokerContract {

	private static final String KEY = "asynqj:{default}:turn";

	private static final Duration LONG = Duration.ofMinutes(1);

	private final QueueTurns turns = this.broker.turns();

	QueueTurnsContract(RedisConnectionFactory factory) {
		super(factory);
	}

	@Test
	void oneServerHasTurnPerQueue() {
		assertThat(this.turns.take("default", LONG)).isTrue();
		assertThat(this.turns.take("default", LONG)).isFalse();
		assertThat(this.turns.take("other", LONG)).isTrue();
	}

	@Test
	void turnExpiresToTheMillisecond() {
		this.turns.take("default", Duration.ofMillis(59_900));
		assertThat(this.state.redis().getExpire(KEY, TimeUnit.MILLISECONDS)).isBetween(1L, 59_900L);
		this.state.redis().delete(KEY);
		assertThat(this.turns.take("default", Duration.ofMillis(100))).isTrue();
		await().until(() -> this.turns.take("default", LONG));
	}

	@Test
	void failedRequestDoesNotExtendTurn() {
		this.turns.take("default", Duration.ofSeconds(10));
		this.turns.take("default", LONG);
		assertThat(this.state.redis().getExpire(KEY)).isLessThanOrEqualTo(10);
	}

}
