package io.asynq.server;

import java.time.Clock;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

import io.asynq.AsynqException;
import io.asynq.BrokerUnavailableException;
import io.asynq.handler.TaskAggregators;
import io.asynq.internal.broker.RedisBroker;
import io.asynq.internal.event.Observers;
import io.asynq.internal.server.ServerComponents;
import io.asynq.test.RedisExtension;
import io.asynq.test.TestRedis;
import org.junit.jupiter.api.Test;
import org.springframework.data.redis.connection.jedis.JedisConnectionFactory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * What a {@link HealthCheckListener} is told.
 */
class HealthChecksIT {

	private final BlockingQueue<Optional<AsynqException>> heard = new LinkedBlockingQueue<>();

	@Test
	void listenerIsToldWhenRedisStopsAnswering() throws Exception {
		TestRedis redis = TestRedis.startOwn();
		JedisConnectionFactory connections = RedisExtension.connectionFactory(redis);
		AsynqServer server = server(connections);
		server.start();
		try {
			for (int i = 0; i < 2; i++) {
				assertThat(this.heard.poll(60, TimeUnit.SECONDS)).isEqualTo(Optional.empty());
			}
			redis.stop();
			await().untilAsserted(() -> assertThat(this.heard.poll()).isNotNull()
				.get()
				.isInstanceOf(BrokerUnavailableException.class));
		}
		finally {
			server.stop();
			connections.destroy();
			redis.stop();
		}
	}

	private AsynqServer server(JedisConnectionFactory connections) {
		Clock clock = Clock.systemUTC();
		RedisBroker broker = new RedisBroker(connections, clock, RedisBroker.DEFAULT_LEASE_DURATION, (broken) -> {
		});
		ServerPolicies defaults = ServerPolicies.defaults();
		return new ServerComponents(broker, (task, context) -> null, new TaskAggregators(),
				ServerOptions.builder().healthCheckInterval(Duration.ofMillis(200)).handleTstp(false).build(),
				new ServerPolicies(defaults.retryDelay(), defaults.failures(), defaults.errors(),
						(error) -> this.heard.add(Optional.ofNullable(error)), defaults.decorator()),
				Observers.none(), clock, () -> true)
			.server();
	}

}
