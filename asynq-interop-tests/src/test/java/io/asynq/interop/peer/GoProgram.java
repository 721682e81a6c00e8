package io.asynq.interop.peer;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

/**
 * The Go program on disk: built once per JVM from {@code src/test/go}.
 */
final class GoProgram {

	private static final long BUILD_MINUTES = 5;

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

	private static final class Build {

		static final Path EXECUTABLE = build();

		private static Path build() {
			Path executable = target().resolve("asynqpeer");
			Path log = target().resolve("build.log");
			try {
				if (run(log, module().resolve("src/test/go"), "go", "build", "-o", executable.toString(), ".") != 0) {
					throw new IllegalStateException("The Go program does not build:\n" + Files.readString(log));
				}
				return executable;
			}
			catch (IOException ex) {
				throw new UncheckedIOException("The Go program does not build", ex);
			}
		}

	}

}
