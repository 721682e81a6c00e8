package io.asynq.reliability.nodes;

import java.time.Clock;

import io.asynq.internal.broker.RedisBroker;
import io.asynq.internal.enqueue.EnqueueRequest;
import io.asynq.internal.enqueue.Placement;
import io.asynq.internal.redis.TaskMessage;
import io.asynq.test.redis.SentinelRedis;
import org.junit.jupiter.api.Test;
import org.springframework.data.redis.connection.RedisConnection;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import redis.clients.jedis.RedisSentinelClient;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

class SentinelCallsIT {

	private static final int CALLS = 24;

	@Test
	void noCallFailsOnceDriverKnowsNewMaster() {
		try (SentinelRedis redis = SentinelRedis.start()) {
			RedisBroker broker = new RedisBroker(redis.connections(), Clock.systemUTC(),
					RedisBroker.DEFAULT_LEASE_DURATION, (task) -> {
					});
			enqueue(broker, "before");

			redis.failOver();
			await().until(() -> masterOfDriver(redis.connections()) == redis.master().port());

			for (int i = 0; i < CALLS; i++) {
				enqueue(broker, "t" + i);
				assertThat(broker.tasks().find("default", "t" + i)).isPresent();
			}
		}
	}

	private static void enqueue(RedisBroker broker, String id) {
		TaskMessage message = TaskMessage.builder("t", id, "default").build();
		broker.enqueuer().enqueue(new EnqueueRequest(message, new Placement.Pending(), null));
	}

	private static int masterOfDriver(RedisConnectionFactory factory) {
		try (RedisConnection connection = factory.getConnection()) {
			return ((RedisSentinelClient) connection.getNativeConnection()).getCurrentMaster().getPort();
		}
	}

}
