package io.asynq.benchmarks.process;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;

import redis.clients.jedis.Jedis;
import redis.embedded.RedisServer;
import redis.embedded.core.ExecutableProvider;

import org.springframework.util.FileSystemUtils;

/**
 * A {@code redis-server} from the PATH, on loopback and a free port.
 */
public final class RedisProcess implements AutoCloseable {

	private static final Duration SETTLING = Duration.ofMillis(500);

	private final RedisServer server;

	private final int port;

	private final Path folder;

	private final Jedis jedis;

	private RedisProcess(RedisServer server, int port, Path folder) {
		this.server = server;
		this.port = port;
		this.folder = folder;
		this.jedis = new Jedis("127.0.0.1", port, 120_000);
	}

	/**
	 * Starts a Redis.
	 * @param persistence {@code none} or {@code everysec}
	 * @return the Redis
	 */
	public static RedisProcess start(String persistence) {
		int port = freePort();
		try {
			Path folder = Files.createTempDirectory("asynq-benchmarks");
			RedisServer server = RedisServer.newRedisServer()
				.executableProvider(ExecutableProvider.newExecutableInPath("redis-server"))
				.bind("127.0.0.1")
				.port(port)
				.setting("save \"\"")
				.setting("appendonly " + ("none".equals(persistence) ? "no" : "yes"))
				.setting("dir " + folder)
				.build();
			server.start();
			return new RedisProcess(server, port, folder);
		}
		catch (IOException ex) {
			throw new UncheckedIOException("redis-server cannot be started: is it on the PATH?", ex);
		}
	}

	static int freePort() {
		try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
			return socket.getLocalPort();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	public String address() {
		return "127.0.0.1:" + this.port;
	}

	public int port() {
		return this.port;
	}

	/**
	 * Returns a connection for one thread.
	 * @return the connection
	 */
	public Jedis jedis() {
		return this.jedis;
	}

	public String version() {
		return info("server").get("redis_version");
	}

	/**
	 * Returns the CPU time that Redis has used.
	 * @return nanoseconds
	 */
	public long cpuNanos() {
		Map<String, String> cpu = info("cpu");
		return (long) (1e9
				* (Double.parseDouble(cpu.get("used_cpu_user")) + Double.parseDouble(cpu.get("used_cpu_sys"))));
	}

	/**
	 * Returns how many commands were executed, calls inside scripts included.
	 * @return the number
	 */
	public long commands() {
		return info("commandstats").values()
			.stream()
			.mapToLong((line) -> Long.parseLong(line.replaceFirst("calls=(\\d+).*", "$1")))
			.sum();
	}

	/**
	 * Returns how much memory is in use once connections of those who are done have gone
	 * with their buffers, and the table of keys has its new size.
	 * @return bytes
	 */
	public long settledMemory() {
		LockSupport.parkNanos(SETTLING.toNanos());
		return Long.parseLong(info("memory").get("used_memory"));
	}

	@Override
	public void close() {
		this.jedis.close();
		try {
			this.server.stop();
			FileSystemUtils.deleteRecursively(this.folder);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	private Map<String, String> info(String section) {
		Map<String, String> values = new HashMap<>();
		this.jedis.info(section).lines().filter((line) -> line.contains(":")).forEach((line) -> {
			String[] pair = line.split(":", 2);
			values.put(pair[0], pair[1]);
		});
		return values;
	}

}
