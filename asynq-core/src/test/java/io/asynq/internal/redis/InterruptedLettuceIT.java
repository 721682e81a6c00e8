package io.asynq.internal.redis;

import java.time.Clock;
import java.time.Duration;

import io.asynq.BrokerUnavailableException;
import io.asynq.internal.broker.RedisBroker;
import io.asynq.test.LettuceRedisExtension;
import io.asynq.test.TestRedis;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import redis.clients.jedis.Jedis;
import redis.clients.jedis.args.ClientPauseMode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Callers that are interrupted while they wait for Redis. Lettuce stops waiting; Jedis
 * ignores interrupts.
 */
@Timeout(300)
class InterruptedLettuceIT {

	private static final String QUEUE = "default";

	private final TestRedis redis = TestRedis.startOwn();

	private final LettuceConnectionFactory factory = LettuceRedisExtension.connectionFactory(this.redis);

	private final RedisBroker broker = new RedisBroker(this.factory, Clock.systemUTC(),
			RedisBroker.DEFAULT_LEASE_DURATION, (task) -> {
			});

	@BeforeEach
	void haveRedisAnswerNothing() {
		this.broker.queues().ping();
		try (Jedis jedis = this.redis.node().connect()) {
			jedis.clientPause(Duration.ofHours(1).toMillis(), ClientPauseMode.ALL);
		}
	}

	@AfterEach
	void stop() {
		Thread.interrupted();
		this.factory.destroy();
		this.redis.stop();
	}

	@Test
	void repeatableScriptReportsInterruptedCaller() {
		saysSo(() -> this.broker.queues().stats(QUEUE));
	}

	@Test
	void plainCommandReportsInterruptedCaller() {
		saysSo(() -> this.broker.queues().queues());
	}

	@Test
	void commandWithoutKeyReportsInterruptedCaller() {
		saysSo(() -> this.broker.queues().ping());
	}

	private static void saysSo(Runnable call) {
		Thread.currentThread().interrupt();
		assertThatExceptionOfType(BrokerUnavailableException.class).isThrownBy(call::run)
			.withMessageContaining("the calling thread was interrupted");
		assertThat(Thread.currentThread().isInterrupted()).as("the interrupt is not lost").isTrue();
	}

}
