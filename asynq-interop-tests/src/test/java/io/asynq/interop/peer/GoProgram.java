package io.asynq.interop.peer;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;

import tools.jackson.databind.json.JsonMapper;

/**
 * The Go program on disk: built once per JVM from {@code src/test/go}.
 */
final class GoProgram {

	private static final long BUILD_MINUTES = 20;

	private static final Duration BEHIND = Duration.ofSeconds(60);

	private GoProgram() {
	}

	/**
	 * Returns whether there is a Go to build with.
	 * @return whether {@code go} on the PATH answers
	 */
	static boolean canBeBuilt() {
		return Toolchain.PRESENT;
	}

	/**
	 * Builds the program, unless that was done.
	 * @return the executable
	 */
	static Path executable() {
		return Build.EXECUTABLE;
	}

	/**
	 * Builds the program with a Go whose clock is a minute behind, unless that was done:
	 * what it measures for itself goes on, but every present time that it or any library
	 * of it asks for is a minute late. Go asks the kernel without the C library, so
	 * nothing that is loaded before it could do that.
	 * @return the executable
	 */
	static Path executableBehind() {
		return BehindBuild.EXECUTABLE;
	}

	static Path target() {
		return module().resolve("target").resolve("go-peer");
	}

	static Path module() {
		// Surefire and failsafe tell where the module is; an IDE starts there
		return Path.of(System.getProperty("basedir", System.getProperty("user.dir")));
	}

	static int run(Path log, Path directory, String... command) throws IOException {
		Files.createDirectories(target());
		Process process = new ProcessBuilder(command).directory(directory.toFile())
			.redirectErrorStream(true)
			.redirectOutput(log.toFile())
			.start();
		try {
			if (!process.waitFor(BUILD_MINUTES, TimeUnit.MINUTES)) {
				process.destroyForcibly();
				throw new IOException("No end after " + BUILD_MINUTES + " minutes: " + String.join(" ", command));
			}
			return process.exitValue();
		}
		catch (InterruptedException ex) {
			process.destroyForcibly();
			Thread.currentThread().interrupt();
			throw new IOException("Interrupted: " + String.join(" ", command), ex);
		}
	}

	private static final class Toolchain {

		static final boolean PRESENT = answers();

		private static boolean answers() {
			try {
				return run(target().resolve("version.log"), module(), "go", "version") == 0;
			}
			catch (IOException ex) {
				return false;
			}
		}

	}

	private static Path build(String name, String... options) {
		Path executable = target().resolve(name);
		Path log = target().resolve(name + "-build.log");
		List<String> command = new ArrayList<>(List.of("go", "build", "-o", executable.toString()));
		command.addAll(List.of(options));
		command.add(".");
		try {
			if (run(log, module().resolve("src/test/go"), command.toArray(String[]::new)) != 0) {
				throw new IllegalStateException("The Go program does not build:\n" + Files.readString(log));
			}
			return executable;
		}
		catch (IOException ex) {
			throw new UncheckedIOException("The Go program does not build", ex);
		}
	}

	private static final class Build {

		static final Path EXECUTABLE = build("asynqpeer");

	}

	private static final class BehindBuild {

		private static final Pattern PRESENT = Pattern.compile("sec, nsec, mono := \\w+\\(\\)");

		static final Path EXECUTABLE = build("asynqpeer-behind", "-overlay", overlay().toString());

		private static Path overlay() {
			try {
				Path log = target().resolve("goroot.log");
				run(log, module(), "go", "env", "GOROOT");
				Path source = Path.of(Files.readString(log).strip(), "src", "time", "time.go");
				String text = Files.readString(source);
				String behind = PRESENT.matcher(text).replaceFirst("$0; sec -= " + BEHIND.toSeconds());
				if (behind.equals(text)) {
					throw new IllegalStateException("Where Go asks for the time is not known: " + source);
				}
				Path replacement = Files.writeString(target().resolve("time.go"), behind);
				return Files.writeString(target().resolve("overlay.json"), JsonMapper.shared()
					.writeValueAsString(Map.of("Replace", Map.of(source.toString(), replacement.toString()))));
			}
			catch (IOException ex) {
				throw new UncheckedIOException("Go's clock cannot be set", ex);
			}
		}

	}

}
