package io.asynq.reliability.redis;

import java.time.Clock;

import io.asynq.broker.EnqueueRequest;
import io.asynq.broker.EnqueueStatus;
import io.asynq.broker.Placement;
import io.asynq.broker.TaskMessage;
import io.asynq.broker.redis.RedisBroker;
import org.junit.jupiter.api.Test;
import redis.clients.jedis.RedisSentinelClient;

import org.springframework.data.redis.connection.RedisConnection;
import org.springframework.data.redis.connection.RedisConnectionFactory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

class SentinelCallsIT {

	private static final int CALLS = 24;

	@Test
	void noCallFailsOnceTheDriverKnowsTheNewMaster() {
		try (SentinelRedis redis = SentinelRedis.start()) {
			RedisBroker broker = new RedisBroker(redis.connections(), Clock.systemUTC(),
					RedisBroker.DEFAULT_LEASE_DURATION, (task) -> {
					});
			assertThat(enqueue(broker, "before")).isEqualTo(EnqueueStatus.ENQUEUED);

			redis.failOver();
			await().until(() -> masterOfDriver(redis.connections()) == redis.master().port());

			for (int i = 0; i < CALLS; i++) {
				assertThat(enqueue(broker, "t" + i)).isEqualTo(EnqueueStatus.ENQUEUED);
				assertThat(broker.tasks().find("default", "t" + i)).isPresent();
			}
		}
	}

	private static EnqueueStatus enqueue(RedisBroker broker, String id) {
		TaskMessage message = TaskMessage.builder("t", id, "default").build();
		return broker.enqueuer().enqueue(new EnqueueRequest(message, new Placement.Pending(), null));
	}

	private static int masterOfDriver(RedisConnectionFactory factory) {
		try (RedisConnection connection = factory.getConnection()) {
			return ((RedisSentinelClient) connection.getNativeConnection()).getCurrentMaster().getPort();
		}
	}

}
