package io.asynq.reliability.outbox;

import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import io.asynq.reliability.process.LocalServer;
import io.asynq.test.process.Child;
import io.asynq.test.process.JavaProgram;
import org.jspecify.annotations.Nullable;

/** The application as a process, which is started again after each kill. */
final class Shop implements AutoCloseable {

	private static final Duration PATIENCE = Duration.ofSeconds(120);

	private static final List<String> JVM = List.of("-Xmx256m", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC");

	private final Map<String, String> properties = new LinkedHashMap<>();

	private final Path log;

	private @Nullable Child process;

	Shop(Map<String, String> redis, String database, Path log) {
		this.properties.putAll(redis);
		this.properties.put("spring.datasource.url", database);
		this.properties.put("spring.autoconfigure.exclude", "");
		this.properties.put("spring.main.keep-alive", "true");
		this.properties.put("spring.main.banner-mode", "off");
		this.properties.put("asynq.server.enabled", "false");
		this.properties.put("asynq.client.after-commit", "true");
		this.properties.put("asynq.outbox.jdbc.initialize-schema", "always");
		this.log = log;
	}

	void start(long orders) throws InterruptedException {
		this.properties.put("reliability.orders", String.valueOf(orders));
		Child started = Child.start("shop",
				JavaProgram.command(JVM, ShopApplication.class.getName(), LocalServer.arguments(this.properties)),
				this.log);
		this.process = started;
		started.awaitReady(PATIENCE);
	}

	/** Ends it with SIGKILL. */
	@Override
	public void close() {
		if (this.process != null) {
			this.process.close();
			this.process = null;
		}
	}

	boolean terminate() throws InterruptedException {
		boolean ended = this.process == null || this.process.terminate(PATIENCE);
		close();
		return ended;
	}

}
