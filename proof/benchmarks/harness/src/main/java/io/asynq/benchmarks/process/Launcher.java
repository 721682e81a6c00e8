package io.asynq.benchmarks.process;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

/** Starts peers, each once and at first use. */
public final class Launcher implements AutoCloseable {

	/** The same for every JVM: twice the target, so that it can be missed. */
	private static final List<String> JVM_FLAGS = List.of("-Xms256m", "-Xmx512m");

	/** Also in the other checkout. */
	private static final String ASYNQ = "io.asynq.benchmarks.asynq.AsynqMain";

	private static final List<String> RIVALS = List.of("rqueue", "redisson", "dbscheduler");

	private final Path module;

	private final @Nullable Path earlier;

	private final Path logs;

	private final Path java17;

	private final @Nullable Path newerJava;

	private final Map<String, PeerProcess> peers = new LinkedHashMap<>();

	private final Map<String, String> versions = new LinkedHashMap<>();

	public Launcher(Path module, @Nullable Path earlier) {
		this.module = module;
		this.earlier = earlier;
		this.logs = module.resolve("target/logs");
		this.java17 = Path.of(System.getProperty("java.home"), "bin", "java");
		this.newerJava = NewerJava.find();
		try {
			Files.createDirectories(this.logs);
			try (Stream<Path> old = Files.list(this.logs)) {
				for (Path file : old.toList()) {
					Files.delete(file);
				}
			}
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	public boolean hasNewerJava() {
		return this.newerJava != null;
	}

	public PeerProcess asynq(int number) {
		return jvm("asynq" + ((number > 0) ? "-" + number : ""), this.java17, this.module.resolve("harness"), ASYNQ);
	}

	public PeerProcess earlier() {
		if (this.earlier == null) {
			throw new IllegalStateException("No other checkout was given: --against");
		}
		return jvm("asynq-earlier", this.java17, this.earlier.resolve("harness"), ASYNQ);
	}

	public PeerProcess asynqOnNewerJava() {
		if (this.newerJava == null) {
			throw new IllegalStateException("No JDK from 21 on was found; set JAVA_HOME_25");
		}
		return jvm("asynq-virtual", this.newerJava, this.module.resolve("harness"), ASYNQ);
	}

	public PeerProcess ceiling() {
		return jvm("jedis", this.java17, this.module.resolve("harness"), "io.asynq.internal.redis.CeilingPeer");
	}

	public PeerProcess go() {
		return start("go", List.of(this.module.resolve("target/go/peer").toString()));
	}

	public PeerProcess rival(String name) {
		String main = switch (name) {
			case "rqueue" -> "RqueuePeer";
			case "redisson" -> "RedissonPeer";
			default -> "DbSchedulerPeer";
		};
		return jvm(name, this.java17, this.module.resolve("rivals"), "io.asynq.benchmarks.rivals." + main);
	}

	public Map<String, String> versions() {
		return this.versions;
	}

	public List<String> jvmFlags() {
		return JVM_FLAGS;
	}

	/**
	 * Stops the other JVM queues, so that their memory and threads disturb no measure.
	 * They are started again when needed.
	 */
	public void endRivals() {
		RIVALS.forEach(this::end);
	}

	/**
	 * Stops both checkouts of this project; they are started again when needed. What a
	 * JIT compiler makes of a program differs from start to start.
	 */
	public void endBoth() {
		end("asynq");
		end("asynq-earlier");
	}

	@Override
	public void close() {
		this.peers.values().forEach(PeerProcess::close);
	}

	private PeerProcess jvm(String name, Path java, Path part, String main) {
		List<String> command = new ArrayList<>(List.of(java.toString()));
		command.addAll(JVM_FLAGS);
		command.addAll(List.of("-cp", classPath(part), main));
		return start(name, command);
	}

	private void end(String name) {
		PeerProcess peer = this.peers.remove(name);
		if (peer != null) {
			peer.close();
		}
	}

	private PeerProcess start(String name, List<String> command) {
		PeerProcess running = this.peers.get(name);
		if (running != null) {
			return running;
		}
		PeerProcess peer = PeerProcess.start(name, command, log(name));
		this.peers.put(name, peer);
		this.versions.put(name, peer.call("version", Map.of()).text("version"));
		return peer;
	}

	private static String classPath(Path part) {
		Path target = part.resolve("target");
		try {
			return target.resolve("classes") + ":" + Files.readString(target.resolve("classpath")).trim();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(part + " is not built: mvn package", ex);
		}
	}

	private Path log(String name) {
		return this.logs.resolve(name + ".log");
	}

	/** Finds a JDK with virtual threads. */
	private static final class NewerJava {

		private static final int FIRST_WITH_VIRTUAL_THREADS = 21;

		private NewerJava() {
		}

		static @Nullable Path find() {
			List<Path> homes = new ArrayList<>();
			String named = System.getenv("JAVA_HOME_25");
			if (named != null) {
				homes.add(Path.of(named));
			}
			Path installed = Path.of("/usr/lib/jvm");
			if (Files.isDirectory(installed)) {
				try (Stream<Path> list = Files.list(installed)) {
					homes.addAll(list.sorted().toList());
				}
				catch (IOException ex) {
					throw new UncheckedIOException(ex);
				}
			}
			return homes.stream()
				.filter((home) -> version(home) >= FIRST_WITH_VIRTUAL_THREADS)
				.map((home) -> home.resolve("bin/java"))
				.filter(Files::isExecutable)
				.findFirst()
				.orElse(null);
		}

		private static int version(Path home) {
			Path release = home.resolve("release");
			if (!Files.isRegularFile(release)) {
				return 0;
			}
			try {
				return Files.readAllLines(release)
					.stream()
					.filter((line) -> line.startsWith("JAVA_VERSION="))
					.map((line) -> line.replaceAll("[^0-9.]", "").split("\\.")[0])
					.mapToInt(Integer::parseInt)
					.findFirst()
					.orElse(0);
			}
			catch (IOException ex) {
				throw new UncheckedIOException(ex);
			}
		}

	}

}
