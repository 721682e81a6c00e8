package io.asynq.sample.redis;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.util.FileSystemUtils;

/**
 * A Redis process on a free loopback port that saves nothing. Only for trying the sample,
 * because there are no newer releases on Maven Central.
 * <p>
 * The library has the executable. It is started here, because the library would add a JVM
 * shutdown hook that stops Redis while the application still needs it.
 */
final class EmbeddedRedis {

	private static final Logger logger = LoggerFactory.getLogger(EmbeddedRedis.class);

	private static final String HOST = "127.0.0.1";

	private static final String EXECUTABLE = "redis-server-7.0.15-";

	private static final String READY = "Ready to accept connections";

	private final int port;

	private final Path directory;

	private final Process process;

	private EmbeddedRedis(int port, Path directory, Process process) {
		this.port = port;
		this.directory = directory;
		this.process = process;
	}

	/**
	 * Starts it and waits until it accepts connections.
	 * @return a running Redis
	 * @throws IllegalStateException if it cannot be started here
	 */
	static EmbeddedRedis start() {
		try {
			int port = freePort();
			Path directory = Files.createTempDirectory("asynq-sample-redis");
			Process process = new ProcessBuilder(command(port, directory)).directory(directory.toFile())
				.redirectErrorStream(true)
				.start();
			EmbeddedRedis redis = new EmbeddedRedis(port, directory, process);
			redis.awaitReady();
			logger.info("No Redis is configured (spring.data.redis.*): started an embedded one on {}:{}", HOST, port);
			return redis;
		}
		catch (IOException ex) {
			throw new IllegalStateException("The embedded Redis could not be started; name another Redis, for example "
					+ "--spring.data.redis.url=redis://localhost:6379", ex);
		}
	}

	String host() {
		return HOST;
	}

	int port() {
		return this.port;
	}

	void stop() throws IOException {
		this.process.destroy();
		try {
			if (!this.process.waitFor(5, TimeUnit.SECONDS)) {
				this.process.destroyForcibly();
			}
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			this.process.destroyForcibly();
		}
		FileSystemUtils.deleteRecursively(this.directory);
		logger.info("Embedded Redis on {}:{} stopped", HOST, this.port);
	}

	private void awaitReady() throws IOException {
		BufferedReader output = this.process.inputReader(StandardCharsets.UTF_8);
		StringBuilder seen = new StringBuilder();
		for (String line = output.readLine(); line != null; line = output.readLine()) {
			seen.append(System.lineSeparator()).append(line);
			if (line.contains(READY)) {
				Thread drain = new Thread(() -> drain(output), "embedded-redis-log");
				drain.setDaemon(true);
				drain.start();
				return;
			}
		}
		stop();
		throw new IOException("Redis ended at once and said:" + seen);
	}

	// Otherwise a full pipe would block Redis
	private void drain(BufferedReader output) {
		try (output) {
			output.lines().forEach((line) -> logger.debug("Redis: {}", line));
		}
		catch (IOException | java.io.UncheckedIOException ex) {
			logger.debug("Output of the embedded Redis ended", ex);
		}
	}

	private static List<String> command(int port, Path directory) throws IOException {
		Path executable = directory.resolve("redis-server");
		String name = EXECUTABLE + platform(System.getProperty("os.name"), System.getProperty("os.arch"));
		try (InputStream content = EmbeddedRedis.class.getResourceAsStream("/" + name)) {
			if (content == null) {
				throw new IOException("There is no " + name);
			}
			Files.copy(content, executable);
		}
		if (!executable.toFile().setExecutable(true)) {
			throw new IOException(executable + " cannot be made executable");
		}
		return List.of(executable.toString(), "--bind", HOST, "--port", String.valueOf(port), "--save", "",
				"--appendonly", "no");
	}

	static String platform(String system, String processor) {
		return (system.startsWith("Mac") ? "darwin" : system.toLowerCase(Locale.ROOT)) + "-" + switch (processor) {
			case "x86_64" -> "amd64";
			case "aarch64" -> "arm64";
			default -> processor;
		};
	}

	private static int freePort() throws IOException {
		try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getByName(HOST))) {
			return socket.getLocalPort();
		}
	}

}
