package io.asynq.server;

import java.time.Duration;
import java.util.Properties;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

import io.asynq.internal.redis.RedisState;
import io.asynq.internal.redis.TaskMessage;
import io.asynq.test.RedisExtension;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.data.redis.connection.RedisConnectionFactory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Thirty queues, two of them paused and full, on the default pool of eight connections of
 * Spring Boot.
 */
@ExtendWith(RedisExtension.class)
@Timeout(300)
class ManyQueuesIT {

	private final RedisState state;

	private final TestServer server;

	private final BlockingQueue<String> handled = new LinkedBlockingQueue<>();

	ManyQueuesIT(RedisConnectionFactory factory) {
		this.state = new RedisState(factory);
		this.server = TestServer.builder(factory).options((options) -> {
			for (int i = 0; i < 30; i++) {
				options.queue("q" + i, 1 + i % 3);
			}
			// Longer than any test may take
			return options.taskCheckInterval(Duration.ofMinutes(20)).shutdownTimeout(Duration.ofMinutes(20));
		}).handling((task, context) -> {
			this.handled.add(context.queue());
			return null;
		});
	}

	@BeforeEach
	void pauseTwoFullQueues() throws Exception {
		for (String queue : new String[] { "q7", "q8" }) {
			this.state.redis().opsForValue().set("asynq:{" + queue + "}:paused", "1");
			for (int i = 0; i < 200; i++) {
				this.state.seedPending(message(queue, "t" + i));
			}
		}
		this.server.start();
		this.server.enqueue(message("q29", "first"));
		assertThat(this.handled.poll(60, TimeUnit.SECONDS)).isEqualTo("q29");
	}

	@AfterEach
	void stop() {
		this.server.stop();
	}

	@Test
	void applicationAlwaysGetsConnection() {
		// An exhausted pool blocks a call forever
		for (int i = 0; i < 300; i++) {
			assertThat(this.state.redis().opsForValue().get("own")).isNull();
		}
	}

	@Test
	void idleServerDoesNotSpin() {
		AtomicLong before = new AtomicLong(commands());
		// The first looks at thirty queues are many commands, but they end. Calls inside
		// scripts are counted: a spinning loop makes tens of thousands, again and again
		await().pollInterval(Duration.ofSeconds(3)).until(() -> {
			long present = commands();
			return present - before.getAndSet(present) < 500;
		});
	}

	@Test
	void resumeIsNoticedWithoutPolling() throws Exception {
		awaitAllWatched();
		this.state.redis().delete("asynq:{q7}:paused");
		assertThat(this.handled.poll(60, TimeUnit.SECONDS)).isEqualTo("q7");
		await().until(() -> this.handled.size() == 199);
	}

	@Test
	void idleStopDoesNotWait() {
		this.server.stop();
		assertThat(this.server.server().state()).isEqualTo(ServerState.CLOSED);
	}

	/**
	 * Waits until the looks at the start are over: pending, paused, scheduled and retry
	 * of all queues are watched.
	 */
	private void awaitAllWatched() {
		await().until(() -> stats().getProperty("tracking_total_keys").equals("120"));
	}

	private long commands() {
		return Long.parseLong(stats().getProperty("total_commands_processed"));
	}

	private Properties stats() {
		return this.state.redis().execute((connection) -> connection.serverCommands().info("stats"), true);
	}

	private static TaskMessage message(String queue, String id) {
		return RedisState.message(queue, id).build();
	}

}
