package io.asynq.test.redis;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Function;

import io.asynq.test.process.Command;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.springframework.util.FileSystemUtils;
import redis.clients.jedis.Jedis;
import redis.clients.jedis.exceptions.JedisAccessControlException;
import redis.clients.jedis.exceptions.JedisException;

/**
 * Embedded-redis gives no access to the process, which faults need.
 */
public final class RedisNode implements AutoCloseable {

	static final Duration PATIENCE = Duration.ofSeconds(60);

	/** For the question whether it answers, which is repeated. */
	private static final int PING_TIMEOUT_MILLIS = 2000;

	/** Long enough for a machine on which Redis stands still for seconds. */
	private static final int TIMEOUT_MILLIS = 30_000;

	private static final int LONG_TIMEOUT_MILLIS = 120_000;

	/**
	 * Makes a write beyond the file size limit an error, as on a full disk, and not the
	 * end of the process.
	 */
	private static final String LAUNCH = "trap '' XFSZ; exec \"$0\" \"$@\"";

	private final int port;

	private final Path folder;

	private final List<String> command;

	private final @Nullable FakedTime time;

	private final Thread hook;

	private Process process;

	private RedisNode(int port, Path folder, List<String> command, @Nullable FakedTime time) {
		this.port = port;
		this.folder = folder;
		this.command = command;
		this.time = time;
		this.process = launch();
		this.hook = new Thread(this::end);
		Runtime.getRuntime().addShutdownHook(this.hook);
	}

	/**
	 * @param settings lines of a configuration file
	 */
	public static RedisNode start(int port, List<String> settings) {
		return start(List.of(RedisProgram.find().toString()), port, withoutSnapshots(settings), false);
	}

	public static RedisNode start(Path program) {
		return start(List.of(program.toAbsolutePath().toString()), Ports.free(), withoutSnapshots(List.of()), false);
	}

	/**
	 * @param settings lines of a configuration file
	 */
	static RedisNode startWithClock(int port, List<String> settings) {
		return start(List.of(RedisProgram.find().toString()), port, withoutSnapshots(settings), true);
	}

	/**
	 * @param settings lines of a configuration file
	 */
	static RedisNode startSentinel(int port, List<String> settings) {
		return start(List.of(RedisProgram.find().toString(), "--sentinel"), port, settings, false);
	}

	private static List<String> withoutSnapshots(List<String> settings) {
		List<String> lines = new ArrayList<>(List.of("save \"\""));
		lines.addAll(settings);
		return lines;
	}

	private static RedisNode start(List<String> program, int port, List<String> settings, boolean faked) {
		try {
			Path folder = Files.createTempDirectory("asynq-test-redis");
			Path configuration = folder.resolve("redis.conf");
			List<String> lines = new ArrayList<>(List.of("port " + port, "bind " + Ports.HOST, "daemonize no",
					"dir " + folder, "logfile " + folder.resolve("redis.log")));
			lines.addAll(settings);
			Files.write(configuration, lines);
			List<String> command = new ArrayList<>(
					List.of("sh", "-c", LAUNCH, program.get(0), configuration.toString()));
			command.addAll(program.subList(1, program.size()));
			RedisNode node = new RedisNode(port, folder, command, faked ? new FakedTime(folder) : null);
			node.awaitAnswer();
			return node;
		}
		catch (IOException ex) {
			throw new UncheckedIOException("No configuration can be written for Redis", ex);
		}
	}

	public int port() {
		return this.port;
	}

	public String address() {
		return Ports.HOST + ":" + this.port;
	}

	public Path folder() {
		return this.folder;
	}

	/** A long time-out, for a machine on which Redis gets little CPU time. */
	public Jedis connect() {
		return new Jedis(Ports.HOST, this.port, LONG_TIMEOUT_MILLIS);
	}

	public <T> T call(Function<Jedis, T> use) {
		try (Jedis jedis = new Jedis(Ports.HOST, this.port, TIMEOUT_MILLIS)) {
			return use.apply(jedis);
		}
	}

	/**
	 * @param listener gets each command in the format of MONITOR
	 */
	public CommandWatch watch(Consumer<String> listener) throws InterruptedException {
		return new CommandWatch(this, listener).begin();
	}

	/** Lasts until the next restart. */
	public void configure(String setting, String value) {
		call((jedis) -> jedis.configSet(setting, value));
	}

	public Map<String, String> info(String section) {
		return call((jedis) -> info(jedis, section));
	}

	public static Map<String, String> info(Jedis jedis, String section) {
		Map<String, String> values = new HashMap<>();
		jedis.info(section).lines().filter((line) -> line.contains(":")).forEach((line) -> {
			String[] pair = line.split(":", 2);
			values.put(pair[0], pair[1]);
		});
		return values;
	}

	/** Only for a Redis that was started with a clock. */
	public void setClock(Duration ahead) {
		Objects.requireNonNull(this.time, "Its clock cannot be set").set(ahead);
	}

	public boolean isAlive() {
		return this.process.isAlive();
	}

	/** SIGKILL, so that it saves nothing more. */
	public void kill() {
		this.process.destroyForcibly();
		this.process.onExit().orTimeout(PATIENCE.toSeconds(), TimeUnit.SECONDS).join();
		if (this.time != null) {
			FakedTime.forget(this.process.pid());
		}
	}

	/** On the same port and folder. */
	public void restart() {
		if (this.process.isAlive()) {
			throw new IllegalStateException("Redis on port " + this.port + " still runs: kill it first");
		}
		this.process = launch();
		awaitAnswer();
	}

	/** SIGSTOP: connections stay open, nothing answers. */
	public void pause() {
		signal("STOP");
	}

	public void resume() {
		signal("CONT");
	}

	/** A limit on the size of files acts like a full disk and needs no special rights. */
	public void fillDisk() {
		limitFiles("0:");
	}

	public void makeRoom() {
		limitFiles("unlimited:");
	}

	@Override
	public void close() {
		end();
		Runtime.getRuntime().removeShutdownHook(this.hook);
	}

	private Process launch() {
		try {
			ProcessBuilder builder = new ProcessBuilder(this.command).redirectErrorStream(true)
				.redirectOutput(this.folder.resolve("output.log").toFile());
			if (this.time != null) {
				builder.environment().putAll(this.time.environment());
			}
			return builder.start();
		}
		catch (IOException ex) {
			throw new UncheckedIOException("Redis cannot be started with " + this.command, ex);
		}
	}

	private void awaitAnswer() {
		// Nothing signals that a server has loaded its data
		Awaitility.await("Redis on port " + this.port + ", whose log is in " + this.folder)
			.atMost(PATIENCE)
			.pollInterval(Duration.ofMillis(20))
			.until(() -> {
				if (!this.process.isAlive()) {
					throw new IllegalStateException(
							"Redis has ended at its start: " + said("redis.log") + said("output.log"));
				}
				return answers();
			});
	}

	private String said(String file) throws IOException {
		Path log = this.folder.resolve(file);
		return Files.exists(log) ? Files.readString(log) : "";
	}

	private boolean answers() {
		try (Jedis jedis = new Jedis(Ports.HOST, this.port, PING_TIMEOUT_MILLIS)) {
			return "PONG".equals(jedis.ping());
		}
		catch (JedisAccessControlException ex) {
			// It answers and wants a password
			return true;
		}
		catch (JedisException ex) {
			return false;
		}
	}

	private void limitFiles(String limit) {
		Command.run("prlimit", "--fsize=" + limit, "--pid", String.valueOf(this.process.pid()));
	}

	private void signal(String name) {
		Command.run("kill", "-" + name, String.valueOf(this.process.pid()));
	}

	private void end() {
		kill();
		try {
			FileSystemUtils.deleteRecursively(this.folder);
		}
		catch (IOException ex) {
			throw new UncheckedIOException("Left behind: " + this.folder, ex);
		}
	}

}
