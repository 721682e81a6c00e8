package io.asynq.server;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

import io.asynq.handler.TaskAggregators;
import io.asynq.internal.broker.RedisBroker;
import io.asynq.internal.enqueue.EnqueueRequest;
import io.asynq.internal.enqueue.Placement;
import io.asynq.internal.event.Observers;
import io.asynq.internal.redis.RedisState;
import io.asynq.internal.redis.ServerConnections;
import io.asynq.internal.server.ServerComponents;
import io.asynq.test.TestRedis;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.data.redis.connection.RedisClusterConfiguration;
import org.springframework.data.redis.connection.RedisConfiguration;
import org.springframework.data.redis.connection.RedisStandaloneConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceClientConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Stops over Lettuce while nothing has been heard of Redis yet: it takes connections and
 * is silent, so every part of the server is still about to connect.
 */
@Timeout(300)
class SilentRedisStopIT {

	private final ServerSocket silent = new ServerSocket(TestRedis.freePort(), 1000, InetAddress.getLoopbackAddress());

	private final CountDownLatch handled = new CountDownLatch(1);

	SilentRedisStopIT() throws IOException {
	}

	@AfterEach
	void letGo() throws IOException {
		this.silent.close();
	}

	@Test
	void stopEndsAndRestartSucceeds() throws Exception {
		Server server = new Server(
				new RedisStandaloneConfiguration(this.silent.getInetAddress().getHostAddress(), port()));
		stopsWhileAllConnect(server);
		this.silent.close();
		TestRedis redis = TestRedis.startOwn(port());
		try {
			server.start();
			server.broker.enqueuer()
				.enqueue(
						new EnqueueRequest(RedisState.message("default", "t1").build(), new Placement.Pending(), null));
			assertThat(this.handled.await(60, TimeUnit.SECONDS)).isTrue();
		}
		finally {
			server.stop();
			redis.stop();
		}
	}

	@Test
	@Tag("slow")
	void stopEndsOnCluster() throws Exception {
		stopsWhileAllConnect(new Server(
				new RedisClusterConfiguration(List.of(this.silent.getInetAddress().getHostAddress() + ":" + port()))));
	}

	private void stopsWhileAllConnect(Server server) throws Exception {
		server.start();
		await().until(() -> connecting().count() > 3);
		Thread stop = new Thread(server::stop, "stop");
		stop.start();
		// Less than the driver waits for one answer
		stop.join(45_000);
		assertThat(stop.getStackTrace()).as("has waited for Redis").isEmpty();
		await().until(() -> connecting().count() == 0);
	}

	private int port() {
		return this.silent.getLocalPort();
	}

	private static Stream<String> connecting() {
		return Thread.getAllStackTraces()
			.entrySet()
			.stream()
			.filter((thread) -> Stream.of(thread.getValue())
				.anyMatch((frame) -> frame.getClassName().equals(LettuceConnectionFactory.class.getName())))
			.map((thread) -> thread.getKey().getName())
			.filter((name) -> name.startsWith("asynq-"));
	}

	/**
	 * With connections of its own, which end after it.
	 */
	private final class Server {

		private final LettuceConnectionFactory application;

		private final ServerConnections connections;

		private final RedisBroker broker;

		private final AsynqServer server;

		Server(RedisConfiguration redis) throws Exception {
			this.application = new LettuceConnectionFactory(redis,
					LettuceClientConfiguration.builder().commandTimeout(Duration.ofMinutes(1)).build());
			this.application.afterPropertiesSet();
			this.connections = new ServerConnections(this.application, ServerConnections.Source.COPY);
			this.connections.afterPropertiesSet();
			this.broker = new RedisBroker(this.application, this.connections, Clock.systemUTC(),
					RedisBroker.DEFAULT_LEASE_DURATION, (task) -> {
					});
			this.server = new ServerComponents(this.broker, (task, context) -> {
				SilentRedisStopIT.this.handled.countDown();
				return null;
			}, new TaskAggregators(),
					ServerOptions.builder().handleTstp(false).shutdownTimeout(Duration.ofMillis(200)).build(),
					ServerPolicies.defaults(), Observers.none(), Clock.systemUTC(), () -> true)
				.server();
		}

		void start() {
			this.application.start();
			this.connections.start();
			this.server.start();
		}

		void stop() {
			this.server.stop();
			this.connections.stop();
			this.application.stop();
		}

	}

}
