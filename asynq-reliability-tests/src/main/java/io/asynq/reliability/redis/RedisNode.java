package io.asynq.reliability.redis;

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

import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.Jedis;
import redis.clients.jedis.exceptions.JedisException;

import org.springframework.util.FileSystemUtils;

/**
 * One {@code redis-server} process from the PATH on loopback, with a folder of its own,
 * ended with the program. It is started here and not by embedded-redis, which hands out
 * no process to kill or stop.
 */
public final class RedisNode implements AutoCloseable {

	static final Duration PATIENCE = Duration.ofSeconds(60);

	private static final int TIMEOUT_MILLIS = 2000;

	/**
	 * A write beyond the file size limit is an error for Redis, as on a full disk, and
	 * not its end.
	 */
	private static final String LAUNCH = "trap '' XFSZ; exec redis-server \"$@\"";

	private final int port;

	private final Path folder;

	private final List<String> arguments;

	private final @Nullable FakedTime time;

	private final Thread hook;

	private Process process;

	private RedisNode(int port, Path folder, List<String> arguments, @Nullable FakedTime time) {
		this.port = port;
		this.folder = folder;
		this.arguments = arguments;
		this.time = time;
		this.process = launch();
		this.hook = new Thread(this::end);
		Runtime.getRuntime().addShutdownHook(this.hook);
	}

	/**
	 * Starts a Redis and waits until it answers.
	 * @param port the port
	 * @param settings lines of a configuration file
	 * @return the Redis
	 */
	static RedisNode start(int port, List<String> settings) {
		return start(port, withoutSnapshots(settings), List.of(), false);
	}

	/**
	 * Starts a Redis whose clock can be set, and waits until it answers.
	 * @param port the port
	 * @param settings lines of a configuration file
	 * @return the Redis
	 */
	static RedisNode startWithClock(int port, List<String> settings) {
		return start(port, withoutSnapshots(settings), List.of(), true);
	}

	/**
	 * Starts a Sentinel and waits until it answers.
	 * @param port the port
	 * @param settings lines of a configuration file
	 * @return the Sentinel
	 */
	static RedisNode startSentinel(int port, List<String> settings) {
		return start(port, settings, List.of("--sentinel"), false);
	}

	private static List<String> withoutSnapshots(List<String> settings) {
		List<String> lines = new ArrayList<>(List.of("save \"\""));
		lines.addAll(settings);
		return lines;
	}

	private static RedisNode start(int port, List<String> settings, List<String> more, boolean faked) {
		try {
			Path folder = Files.createTempDirectory("asynq-reliability-redis");
			Path configuration = folder.resolve("redis.conf");
			List<String> lines = new ArrayList<>(List.of("port " + port, "bind " + Ports.HOST, "daemonize no",
					"dir " + folder, "logfile " + folder.resolve("redis.log")));
			lines.addAll(settings);
			Files.write(configuration, lines);
			List<String> arguments = new ArrayList<>(List.of(configuration.toString()));
			arguments.addAll(more);
			RedisNode node = new RedisNode(port, folder, arguments, faked ? new FakedTime(folder) : null);
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

	/**
	 * Returns where this Redis keeps its files.
	 * @return the folder
	 */
	public Path folder() {
		return this.folder;
	}

	/**
	 * Uses a connection of its own.
	 * @param <T> what comes back
	 * @param use what to do with it
	 * @return what comes back
	 */
	public <T> T call(Function<Jedis, T> use) {
		try (Jedis jedis = new Jedis(Ports.HOST, this.port, TIMEOUT_MILLIS)) {
			return use.apply(jedis);
		}
	}

	/**
	 * Has each command told that this Redis runs.
	 * @param listener what it is told to, as MONITOR words it
	 * @return what ends it when it is closed
	 * @throws InterruptedException when the run is given up
	 */
	public CommandWatch watch(Consumer<String> listener) throws InterruptedException {
		return new CommandWatch(this, listener).begin();
	}

	/**
	 * Changes a setting until the next restart.
	 * @param setting its name
	 * @param value its value
	 */
	public void configure(String setting, String value) {
		call((jedis) -> jedis.configSet(setting, value));
	}

	/**
	 * Asks for a section of INFO.
	 * @param section the section
	 * @return value by name
	 */
	public Map<String, String> info(String section) {
		Map<String, String> values = new HashMap<>();
		call((jedis) -> jedis.info(section)).lines().filter((line) -> line.contains(":")).forEach((line) -> {
			String[] pair = line.split(":", 2);
			values.put(pair[0], pair[1]);
		});
		return values;
	}

	/**
	 * Sets the clock of a Redis that was started so that it can be.
	 * @param ahead by how much it is to be ahead of this machine's
	 */
	public void setClock(Duration ahead) {
		Objects.requireNonNull(this.time, "Its clock cannot be set").set(ahead);
	}

	public boolean isAlive() {
		return this.process.isAlive();
	}

	/**
	 * Ends Redis with SIGKILL: it saves nothing more. Returns when it is gone.
	 */
	public void kill() {
		this.process.destroyForcibly();
		this.process.onExit().orTimeout(PATIENCE.toSeconds(), TimeUnit.SECONDS).join();
		if (this.time != null) {
			FakedTime.forget(this.process.pid());
		}
	}

	/**
	 * Starts Redis again on its port and folder, and waits until it answers.
	 */
	public void restart() {
		if (this.process.isAlive()) {
			throw new IllegalStateException("Redis on port " + this.port + " still runs: kill it first");
		}
		this.process = launch();
		awaitAnswer();
	}

	/**
	 * Stops Redis with SIGSTOP: connections stay open, nothing answers.
	 */
	public void pause() {
		signal("STOP");
	}

	/**
	 * Lets Redis go on after {@link #pause()}.
	 */
	public void resume() {
		signal("CONT");
	}

	/**
	 * Has writes to its files fail from now on, as on a full disk: a limit on the size of
	 * files does the same to Redis, and needs no right to mount one.
	 */
	public void fillDisk() {
		limitFiles("0:");
	}

	/**
	 * Makes room again after {@link #fillDisk()}.
	 */
	public void makeRoom() {
		limitFiles("unlimited:");
	}

	@Override
	public void close() {
		end();
		Runtime.getRuntime().removeShutdownHook(this.hook);
	}

	private Process launch() {
		List<String> command = new ArrayList<>(List.of("sh", "-c", LAUNCH, "redis-server"));
		command.addAll(this.arguments);
		try {
			ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true)
				.redirectOutput(this.folder.resolve("output.log").toFile());
			if (this.time != null) {
				builder.environment().putAll(this.time.environment());
			}
			return builder.start();
		}
		catch (IOException ex) {
			throw new UncheckedIOException("redis-server cannot be started: is it on the PATH?", ex);
		}
	}

	private void awaitAnswer() {
		// A server tells nobody when it has loaded its data
		Awaitility.await("Redis on port " + this.port + ", whose log is in " + this.folder)
			.atMost(PATIENCE)
			.pollInterval(Duration.ofMillis(20))
			.until(() -> {
				if (!this.process.isAlive()) {
					throw new IllegalStateException(
							"Redis has ended at its start: " + Files.readString(this.folder.resolve("redis.log")));
				}
				return answers();
			});
	}

	private boolean answers() {
		try {
			return "PONG".equals(call(Jedis::ping));
		}
		catch (JedisException ex) {
			return false;
		}
	}

	private void limitFiles(String limit) {
		run("prlimit", "--fsize=" + limit, "--pid", String.valueOf(this.process.pid()));
	}

	private void signal(String name) {
		run("sh", "-c", "kill -" + name + " " + this.process.pid());
	}

	private static void run(String... command) {
		String said = Command.run(command);
		if (!said.isBlank()) {
			throw new IllegalStateException(String.join(" ", command) + ": " + said);
		}
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
