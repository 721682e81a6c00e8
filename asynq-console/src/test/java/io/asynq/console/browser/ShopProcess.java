package io.asynq.console.browser;

import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

import io.asynq.test.process.Child;
import io.asynq.test.redis.Ports;

/**
 * An application with the console in its own JVM, on a free port of loopback.
 */
final class ShopProcess implements AutoCloseable {

	static final String TOKEN = "token-of-the-shop";

	private static final Duration PATIENCE = Duration.ofMinutes(2);

	private static final Duration END = Duration.ofSeconds(20);

	private final Child process;

	private final int port;

	private ShopProcess(Child process, int port) {
		this.process = process;
		this.port = port;
	}

	/**
	 * Starts it; {@link #awaitReady} tells when it serves.
	 * @param log the file that its output goes to
	 * @param more further arguments
	 */
	static ShopProcess start(Kind kind, URI redis, Path log, String... more) {
		int port = Ports.free();
		List<String> arguments = new ArrayList<>(
				List.of("--server.address=" + Ports.HOST, "--server.port=" + port, "--spring.application.name=shop",
						"--spring.data.redis.url=" + redis, "--spring.data.redis.repositories.enabled=false",
						"--spring.data.redis.timeout=8s", "--asynq.console.access=unrestricted",
						"--asynq.server.concurrency=10", "--asynq.server.queues.default=3",
						"--asynq.server.queues.low=1", "--asynq.server.heartbeat-interval=3s",
						"--asynq.server.log-failures=none", "--asynq.server.shutdown-timeout=1s"));
		if (kind != Kind.GUARDED) {
			arguments.add("--asynq.console.token=" + TOKEN);
		}
		arguments.addAll(List.of(more));
		return new ShopProcess(Child.start(kind.name(), kind.command(arguments), log), port);
	}

	ShopProcess awaitReady() throws InterruptedException {
		this.process.awaitReady(PATIENCE);
		return this;
	}

	int port() {
		return this.port;
	}

	@Override
	public void close() {
		try (this.process) {
			this.process.terminate(END);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

}
