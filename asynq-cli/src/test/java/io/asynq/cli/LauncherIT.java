package io.asynq.cli;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

import io.asynq.test.TestRedis;
import io.asynq.test.process.Command;
import io.asynq.test.process.Repository;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The jar and its launcher, on this JDK and the newest one.
 */
@Tag("full")
class LauncherIT {

	private static final Path MODULE = Repository.path("asynq-cli");

	private static final Path LAUNCHER = MODULE.resolve("asynq");

	private static final Path JAR = MODULE.resolve("target/asynq.jar");

	private static TestRedis redis;

	@TempDir
	private Path folder;

	@BeforeAll
	static void fill() {
		redis = TestRedis.startOwn();
		Command.run("redis-cli", "-p", String.valueOf(redis.port()), "SADD", "asynq:queues", "default", "low");
	}

	@AfterAll
	static void stop() {
		redis.stop();
	}

	static List<Path> javas() {
		Path newest = newest();
		Path own = Path.of(System.getProperty("java.home"));
		return own.equals(newest) ? List.of(own) : List.of(own, newest);
	}

	@ParameterizedTest
	@MethodSource("javas")
	void theJarRuns(Path java) {
		List<String> command = List.of(java + "/bin/java", "-jar", JAR.toString());
		assertThat(run(command, Map.of(), list())).isEqualTo(new Run(0, "default\nlow\n", ""));
		assertThat(run(command, Map.of(), "queue", "ls", "-o", "json", "-u", address()).code()).isZero();
		Run away = run(command, Map.of(), "queue", "ls", "-u", "127.0.0.1:1");
		assertThat(away.code()).isEqualTo(1);
		assertThat(away.err()).contains("127.0.0.1:1").doesNotContain("\tat ", "WARNING");
		Run unknown = run(command, Map.of(), "quue", "ls");
		assertThat(unknown.code()).isEqualTo(2);
		assertThat(unknown.err()).contains("quue").doesNotContain("\tat ", "WARNING");
		Run dash = run(command, Map.of(), "dash");
		assertThat(dash.code()).isEqualTo(1);
		assertThat(dash.err()).contains("asynq dash needs a terminal").doesNotContain("\tat ", "WARNING");
		for (String refresh : List.of("999ms", "soon")) {
			Run refused = run(command, Map.of(), "dash", "--refresh", refresh);
			assertThat(refused.code()).isEqualTo(2);
			assertThat(refused.err()).contains("--refresh must be").contains(refresh);
		}
	}

	@ParameterizedTest
	@MethodSource("javas")
	void theLauncherArchivesClassesOnceAndDoesWithoutWhereItCannot(Path java) throws IOException {
		Map<String, String> variables = Map.of("JAVA_HOME", java.toString(), "XDG_CACHE_HOME", this.folder.toString());
		List<String> command = List.of(LAUNCHER.toString());
		Run expected = new Run(0, "default\nlow\n", "");
		assertThat(run(command, variables, "queue", "ls", "-u", "127.0.0.1:1").code()).isEqualTo(1);
		assertThat(archives()).as("of a run that failed").isEmpty();
		assertThat(run(command, variables, list())).isEqualTo(expected);
		assertThat(archives()).hasSize(1);
		Path archive = archives().get(0);
		assertThat(archive).hasExtension("jsa");
		Object written = Files.getLastModifiedTime(archive);
		assertThat(run(command, variables, list())).isEqualTo(expected);
		assertThat(archives()).containsExactly(archive);
		assertThat(Files.getLastModifiedTime(archive)).isEqualTo(written);
		assertThat(loadedFromArchive(java, archive)).isTrue();
		byte[] whole = Files.readAllBytes(archive);
		for (byte[] broken : new byte[][] { {}, "no archive".getBytes(StandardCharsets.US_ASCII),
				Arrays.copyOf(whole, whole.length / 2) }) {
			Files.delete(archive);
			Files.write(archive, broken);
			assertThat(run(command, variables, list())).isEqualTo(expected);
		}
		assertThat(archives()).as("the broken one and another").hasSizeBetween(1, 2);
		for (String cache : List.of("/dev/null/cache", "/proc/cache")) {
			Map<String, String> unwritable = Map.of("JAVA_HOME", java.toString(), "XDG_CACHE_HOME", cache);
			assertThat(run(command, unwritable, list())).isEqualTo(expected);
		}
	}

	@ParameterizedTest
	@MethodSource("javas")
	void theLauncherReadsAndWritesUtf8InTheLocaleC(Path java) {
		Map<String, String> variables = Map.of("JAVA_HOME", java.toString(), "XDG_CACHE_HOME", this.folder.toString(),
				"LC_ALL", "C");
		// Another shell writes the name, as this JVM may not be able to pass it on
		List<String> command = List.of("sh", "-c", "exec \"$0\" \"$@\" -q \"$(printf 'gr\\303\\266\\303\\237e')\"",
				LAUNCHER.toString(), "-u", address(), "-n", "1");
		Run written = run(command, variables, "task", "enqueue", "-t", "email:send", "-l", "{}");
		assertThat(written.out()).endsWith("to queue größe\n");
		assertThat(written.err()).as("no warning of protobuf's Unsafe, nor of a locale").isEmpty();
		Run read = run(command, variables, "task", "ls", "-s", "pending", "-o", "json");
		assertThat(read.out()).contains("größe", "email:send");
		assertThat(read.err()).isEmpty();
	}

	@Test
	void theLauncherFindsItsJarThroughLinksAndSaysWhatIsMissing() throws IOException {
		Path installed = Files.createDirectories(this.folder.resolve("with blank/bin"));
		Path launcher = Files.copy(LAUNCHER, installed.resolve("asynq"));
		assertThat(launcher.toFile().setExecutable(true)).isTrue();
		Map<String, String> variables = Map.of("XDG_CACHE_HOME", this.folder.toString());
		Run without = run(List.of(launcher.toString()), variables, list());
		assertThat(without.code()).isEqualTo(1);
		assertThat(without.err()).contains("asynq.jar is neither in");
		Path library = Files.createDirectories(this.folder.resolve("with blank/lib"));
		Files.copy(JAR, library.resolve("asynq.jar"));
		Path link = Files.createSymbolicLink(this.folder.resolve("linked"), Path.of("with blank/bin/asynq"));
		for (int time = 0; time < 2; time++) {
			assertThat(run(List.of(link.toString()), variables, list())).isEqualTo(new Run(0, "default\nlow\n", ""));
		}
		Run noJava = run(List.of(link.toString()), Map.of("JAVA_HOME", "/nowhere"), list());
		assertThat(noJava.code()).isEqualTo(1);
		assertThat(noJava.err()).contains("Java 17 or newer is needed");
	}

	@Test
	void theBuildLeavesACompletionScript() {
		Path script = MODULE.resolve("target/asynq-completion");
		String words = Command.run("bash", "-c",
				"source " + script + "; complete -p asynq; COMP_WORDS=(asynq qu); COMP_CWORD=1; _complete_asynq; "
						+ "echo ${COMPREPLY[@]}");
		assertThat(words).contains("_complete_asynq").endsWith("queue\n");
	}

	private static String[] list() {
		return new String[] { "-u", address(), "queue", "ls" };
	}

	private static String address() {
		return redis.host() + ":" + redis.port();
	}

	private List<Path> archives() throws IOException {
		try (Stream<Path> files = Files.list(this.folder.resolve("asynq"))) {
			return files.toList();
		}
	}

	private static boolean loadedFromArchive(Path java, Path archive) {
		return Command
			.run(java + "/bin/java", "-XX:+UseSerialGC", "-XX:SharedArchiveFile=" + archive, "-Xlog:class+load", "-jar",
					JAR.toString(), "-u", address(), "queue", "ls")
			.contains("io.asynq.cli.AsynqCli source: shared objects file (top)");
	}

	private static Run run(List<String> command, Map<String, String> variables, String... arguments) {
		List<String> all = new ArrayList<>(command);
		all.addAll(List.of(arguments));
		try {
			Path out = Files.createTempFile("asynq", "out");
			Path err = Files.createTempFile("asynq", "err");
			try {
				ProcessBuilder builder = new ProcessBuilder(all).redirectOutput(out.toFile())
					.redirectError(err.toFile());
				builder.environment().remove("JAVA_TOOL_OPTIONS");
				builder.environment().putAll(variables);
				Process process = builder.start();
				process.getOutputStream().close();
				int code = process.waitFor();
				return new Run(code, Files.readString(out), Files.readString(err));
			}
			finally {
				Files.delete(out);
				Files.delete(err);
			}
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new IllegalStateException(ex);
		}
	}

	private static Path newest() {
		try (Stream<Path> homes = Stream.concat(Stream.of("JAVA_HOME_25", "JAVA_HOME_25_X64")
			.map(System::getenv)
			.filter((home) -> home != null)
			.map(Path::of), Files.list(Path.of("/usr/lib/jvm")))) {
			return homes.filter((home) -> version(home) >= 21)
				.max(Comparator.comparing(LauncherIT::version))
				.orElseThrow(() -> new IllegalStateException("No JDK from 21 on was found; set JAVA_HOME_25"));
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	private static int version(Path home) {
		try (Stream<String> lines = Files.isExecutable(home.resolve("bin/java")) ? Files.lines(home.resolve("release"))
				: Stream.empty()) {
			return lines.filter((line) -> line.startsWith("JAVA_VERSION="))
				.map((line) -> line.replaceAll("[^0-9.]", "").replaceAll("\\..*", ""))
				.mapToInt(Integer::parseInt)
				.findFirst()
				.orElse(0);
		}
		catch (IOException ex) {
			return 0;
		}
	}

	/**
	 * What a run of the program left.
	 */
	private record Run(int code, String out, String err) {
	}

}
