package io.asynq.test;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

import org.testcontainers.DockerClientFactory;
import org.testcontainers.containers.GenericContainer;
import redis.embedded.RedisServer;
import redis.embedded.core.ExecutableProvider;

/**
 * The Redis of this JVM's tests, started at first use and ended with the JVM: the one
 * that {@code ASYNQ_TEST_REDIS_URL} names (its database is flushed!), else a
 * {@code redis-server} on the PATH, else the embedded binary, else a container. The
 * system property {@code asynq.test.redis} picks one: {@code path}, {@code embedded},
 * {@code container}, or the path of an executable. Never skips: fails with every reason.
 */
public final class TestRedis {

	private static final class Holder {

		static final TestRedis SHARED = start();

	}

	private static final List<String> KINDS = List.of("path", "embedded", "container");

	private final URI uri;

	private final String kind;

	private final Runnable stop;

	private TestRedis(URI uri, String kind, Runnable stop) {
		this.uri = uri;
		this.kind = kind;
		this.stop = stop;
	}

	/**
	 * Returns the Redis that all tests of this JVM share.
	 * @return a running Redis
	 */
	public static TestRedis shared() {
		return Holder.SHARED;
	}

	/**
	 * Starts one more Redis, to be stopped by the caller, with settings such as
	 * {@code maxmemory 10mb}.
	 * @param settings lines of a configuration file
	 * @return a running Redis
	 */
	public static TestRedis startOwn(String... settings) {
		return startOwn(freePort(), settings);
	}

	/**
	 * Starts one more Redis on a given port, as after a crash.
	 * @param port the port
	 * @param settings lines of a configuration file
	 * @return a running Redis
	 */
	public static TestRedis startOwn(int port, String... settings) {
		List<String> reasons = new ArrayList<>();
		for (String kind : kinds()) {
			if (!"container".equals(kind)) {
				try {
					return startProcess(kind, port, settings);
				}
				catch (IOException | RuntimeException ex) {
					reasons.add(kind + ": " + ex.getMessage());
				}
			}
		}
		throw new IllegalStateException("No Redis could be started: " + reasons);
	}

	/**
	 * Finds a free loopback port.
	 * @return the port
	 */
	public static int freePort() {
		try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
			return socket.getLocalPort();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/**
	 * Returns where executables come from, best first.
	 * @return {@code path}, {@code embedded}, {@code container}, or the one that was
	 * picked
	 * @throws IllegalArgumentException if what was picked is nothing that can be started
	 */
	static List<String> kinds() {
		return kinds(System.getProperty("asynq.test.redis", ""));
	}

	static List<String> kinds(String picked) {
		if (picked.isBlank()) {
			return KINDS;
		}
		if (!KINDS.contains(picked) && !isExecutable(picked)) {
			throw new IllegalArgumentException("asynq.test.redis is '" + picked + "', which is neither one of " + KINDS
					+ " nor an executable; a relative path begins at the module's directory");
		}
		return List.of(picked);
	}

	private static boolean isExecutable(String path) {
		return Files.isRegularFile(Path.of(path)) && Files.isExecutable(Path.of(path));
	}

	private static ExecutableProvider executable(String kind) throws IOException {
		return switch (kind) {
			case "path" -> ExecutableProvider.newExecutableInPath("redis-server");
			case "embedded" -> ExecutableProvider.newJarResourceProvider();
			default -> () -> new File(kind);
		};
	}

	public URI uri() {
		return this.uri;
	}

	public String host() {
		return this.uri.getHost();
	}

	public int port() {
		return this.uri.getPort();
	}

	/**
	 * Returns how it was started.
	 * @return {@code url}, {@code path}, {@code embedded}, {@code container} or the path
	 * of the executable
	 */
	public String kind() {
		return this.kind;
	}

	public void stop() {
		this.stop.run();
	}

	private static TestRedis start() {
		String url = System.getenv("ASYNQ_TEST_REDIS_URL");
		if (url != null && !url.isBlank()) {
			return new TestRedis(URI.create(url), "url", () -> {
			});
		}
		List<String> reasons = new ArrayList<>();
		for (String kind : kinds()) {
			try {
				TestRedis redis = "container".equals(kind) ? startContainer() : startProcess(kind, freePort());
				Runtime.getRuntime().addShutdownHook(new Thread(redis::stop));
				return redis;
			}
			catch (IOException | RuntimeException ex) {
				reasons.add(kind + ": " + ex.getMessage());
			}
		}
		throw new IllegalStateException("These tests need a Redis. Set ASYNQ_TEST_REDIS_URL, or install redis-server, "
				+ "or start Docker. Tried: " + reasons);
	}

	private static TestRedis startProcess(String kind, int port, String... settings) throws IOException {
		var builder = RedisServer.newRedisServer().executableProvider(executable(kind)).bind("127.0.0.1").port(port);
		builder.setting("save \"\"").setting("appendonly no").setting("daemonize no");
		for (String setting : settings) {
			builder.setting(setting);
		}
		RedisServer server = builder.build();
		server.start();
		return new TestRedis(URI.create("redis://127.0.0.1:" + port), kind, () -> stop(server));
	}

	private static TestRedis startContainer() {
		if (!DockerClientFactory.instance().isDockerAvailable()) {
			throw new IllegalStateException("Docker does not answer");
		}
		GenericContainer<?> container = new GenericContainer<>("redis:7.2-alpine").withExposedPorts(6379);
		container.start();
		return new TestRedis(URI.create("redis://" + container.getHost() + ":" + container.getMappedPort(6379)),
				"container", container::stop);
	}

	private static void stop(RedisServer server) {
		try {
			server.stop();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

}
