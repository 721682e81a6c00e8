package io.asynq.console.browser;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

import io.asynq.test.process.Command;
import io.asynq.test.process.Repository;

/**
 * The Node programs in {@code src/test/browser}, which drive Chromium.
 */
final class Scripts {

	private static final Path FOLDER = Repository.path("asynq-console/src/test/browser");

	private static final Path CHROMIUM = Path.of("/usr/bin/chromium");

	private static final long MINUTES = 10;

	private static final int LAST_LINES = 40;

	private Scripts() {
	}

	/**
	 * Installs what the lock file names, from npm's cache where it has it.
	 * @throws IllegalStateException if Node or Chromium is missing
	 */
	static void prepare() {
		if (!Files.isExecutable(CHROMIUM)) {
			throw new IllegalStateException(
					"These tests need " + CHROMIUM + ": install Debian's package chromium, as .ci/install does");
		}
		try {
			Path installed = FOLDER.resolve("node_modules/.package-lock.json");
			Path wanted = FOLDER.resolve("package-lock.json");
			if (!Files.exists(installed)
					|| Files.getLastModifiedTime(installed).compareTo(Files.getLastModifiedTime(wanted)) < 0) {
				Command.run(FOLDER, "npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund", "--prefer-offline");
			}
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
		catch (UncheckedIOException ex) {
			throw new IllegalStateException(
					"These tests need Node 20 and npm on the PATH: install them, as .ci/install does", ex);
		}
	}

	/**
	 * Runs a script of tests to its end.
	 * @param name the file's name without {@code .test.mjs}
	 * @param environment what it needs to know
	 * @throws AssertionError if a test in it fails, with what failed in it
	 */
	static void run(String name, Map<String, String> environment) {
		Path said = FOLDER.resolve("../../../target/browser").resolve(name + ".log").normalize();
		ProcessBuilder builder = new ProcessBuilder("node", "--test", "--test-reporter=spec", name + ".test.mjs")
			.directory(FOLDER.toFile())
			.redirectErrorStream(true)
			.redirectOutput(said.toFile());
		builder.environment().putAll(environment);
		try {
			Files.createDirectories(said.getParent());
			Process process = builder.start();
			Thread hook = new Thread(() -> end(process));
			Runtime.getRuntime().addShutdownHook(hook);
			process.getOutputStream().close();
			boolean ended = process.waitFor(MINUTES, TimeUnit.MINUTES);
			Runtime.getRuntime().removeShutdownHook(hook);
			if (!ended || process.exitValue() != 0) {
				end(process);
				throw new AssertionError(name + ".test.mjs " + (ended ? "fails" : "has not ended")
						+ ", all that it said is in " + said + ":\n" + failures(Files.readAllLines(said)));
			}
			System.out.println(Files.readString(said, StandardCharsets.UTF_8));
		}
		catch (IOException ex) {
			throw new UncheckedIOException("node cannot be run", ex);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new IllegalStateException("Interrupted during " + name, ex);
		}
	}

	/**
	 * What Node says of failures once more at its end; of what has not ended the last
	 * lines.
	 */
	private static String failures(List<String> said) {
		int begin = said.indexOf("✖ failing tests:");
		return String.join("\n",
				said.subList((begin < 0) ? Math.max(0, said.size() - LAST_LINES) : begin + 1, said.size()));
	}

	private static void end(Process process) {
		process.descendants().forEach(ProcessHandle::destroyForcibly);
		process.destroyForcibly();
	}

}
