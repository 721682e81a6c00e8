package io.asynq.reliability.worker;

import java.nio.charset.StandardCharsets;
import java.util.concurrent.locks.LockSupport;

import org.springframework.data.redis.connection.RedisConnection;
import org.springframework.data.redis.connection.RedisConnectionFactory;

/** Like handlers that wait for an element of a list. */
final class BusyConnections {

	private static final byte[] NEVER = "reliability:never".getBytes(StandardCharsets.UTF_8);

	private static final int SECONDS = 60;

	private static final long AFTER_ERROR_NANOS = 100_000_000;

	private final RedisConnectionFactory connections;

	BusyConnections(RedisConnectionFactory connections, int threads) {
		this.connections = connections;
		for (int i = 0; i < threads; i++) {
			Thread thread = new Thread(this::waitForEver, "busy-connection-" + i);
			thread.setDaemon(true);
			thread.start();
		}
	}

	private void waitForEver() {
		while (true) {
			try (RedisConnection connection = this.connections.getConnection()) {
				connection.listCommands().bLPop(SECONDS, NEVER);
			}
			catch (RuntimeException ex) {
				LockSupport.parkNanos(AFTER_ERROR_NANOS);
			}
		}
	}

}
