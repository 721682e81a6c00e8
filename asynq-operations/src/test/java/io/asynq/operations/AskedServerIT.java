package io.asynq.operations;

import java.time.Clock;
import java.time.Duration;

import io.asynq.inspect.AsynqInspector;
import io.asynq.internal.broker.RedisBroker;
import io.asynq.internal.redis.RedisState;
import io.asynq.server.ServerState;
import io.asynq.server.TestServer;
import io.asynq.test.RedisExtension;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.data.redis.connection.RedisConnectionFactory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Servers that are made quiet from another application.
 */
@ExtendWith(RedisExtension.class)
@Timeout(300)
class AskedServerIT {

	private static final String QUEUE = "default";

	private final RedisConnectionFactory factory;

	private final RedisState state;

	private final ServerOperations elsewhere;

	AskedServerIT(RedisConnectionFactory factory) {
		this.factory = factory;
		this.state = new RedisState(factory);
		RedisBroker broker = new RedisBroker(factory, Clock.systemUTC(), RedisBroker.DEFAULT_LEASE_DURATION,
				(broken) -> {
				});
		this.elsewhere = new ServerOperations(AsynqInspector.create(broker, Clock.systemUTC()), broker,
				Clock.systemUTC(), null);
	}

	@Test
	void serverDoesOnceWhatItIsAskedToDo() {
		try (TestServer server = TestServer.builder(this.factory)
			.options((options) -> options.heartbeatInterval(Duration.ofMillis(50)))
			.handling((task, context) -> null)
			.start()) {
			awaitStatus("active");
			String id = this.elsewhere.servers().get(0).id();
			this.elsewhere.ask(id, true);
			awaitStatus("stopped");
			server.enqueue(RedisState.message(QUEUE, "t1").build());
			this.state.assertPending(QUEUE, "t1");
			// The wish is still in Redis, but was fulfilled
			server.server().resume();
			await().untilAsserted(() -> this.state.assertCounters(QUEUE, 1, 0));
			awaitStatus("active");
			assertThat(server.server().state()).isEqualTo(ServerState.ACTIVE);
			this.elsewhere.ask(id, true);
			await().until(() -> server.server().state() == ServerState.STOPPED);
			this.elsewhere.ask(id, false);
			await().until(() -> server.server().state() == ServerState.ACTIVE);
		}
		await().until(() -> this.state.redis().keys("asynqj:wish:*").isEmpty());
	}

	private void awaitStatus(String status) {
		await().until(() -> this.elsewhere.servers().stream().anyMatch((server) -> server.status().equals(status)));
	}

}
