package io.asynq.server;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

import io.asynq.internal.redis.RedisState;
import io.asynq.internal.redis.TaskMessage;
import io.asynq.test.LettuceRedisExtension;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.core.types.RedisClientInfo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * An idle server over Lettuce notices arrivals, though it polls only every five minutes.
 */
@ExtendWith(LettuceRedisExtension.class)
@Timeout(300)
class LettuceWakeUpIT {

	private static final String QUEUE = "default";

	private final RedisConnectionFactory factory;

	private final RedisState state;

	private final BlockingQueue<String> handled = new LinkedBlockingQueue<>();

	LettuceWakeUpIT(RedisConnectionFactory factory) {
		this.factory = factory;
		this.state = new RedisState(factory);
	}

	@Test
	void idleServerIsWokenAndAgainAfterItsConnectionWasKilled() throws Exception {
		try (TestServer server = TestServer.builder(this.factory)
			.options((options) -> options.taskCheckInterval(Duration.ofMinutes(5)))
			.handling((task, context) -> {
				this.handled.add(context.taskId());
				return null;
			})
			.start()) {
			awaitWatching();
			server.enqueue(message("t1"));
			assertThat(next()).isEqualTo("t1");
			awaitWatching();
			killWatcher();
			server.enqueue(message("t2"));
			assertThat(next()).isEqualTo("t2");
			awaitWatching();
			server.enqueue(message("t3"));
			assertThat(next()).isEqualTo("t3");
		}
	}

	private void killWatcher() {
		// That of a server before may still be listed
		await().until(() -> watching().size() == 1);
		String[] address = watching().get(0).split(":");
		this.state.redis().execute((connection) -> {
			connection.serverCommands().killClient(address[0], Integer.parseInt(address[1]));
			return null;
		}, true);
	}

	private List<String> watching() {
		return this.state.redis()
			.execute((connection) -> connection.serverCommands().getClientList(), true)
			.stream()
			.filter((client) -> "t".equals(client.get("flags")))
			.map(RedisClientInfo::getAddressPort)
			.toList();
	}

	/** Waits until pending, paused, scheduled and retry are watched. */
	private void awaitWatching() {
		await().until(() -> this.state.redis()
			.execute((connection) -> connection.serverCommands().info("stats"), true)
			.getProperty("tracking_total_keys")
			.equals("4"));
	}

	private String next() throws InterruptedException {
		return this.handled.poll(60, TimeUnit.SECONDS);
	}

	private static TaskMessage message(String id) {
		return RedisState.message(QUEUE, id).build();
	}

}
