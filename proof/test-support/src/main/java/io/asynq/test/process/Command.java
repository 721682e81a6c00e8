package io.asynq.test.process;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

public final class Command {

	private Command() {
	}

	/**
	 * @throws IllegalStateException if it fails, with its output
	 */
	public static String run(String... command) {
		return run(Path.of("").toAbsolutePath(), command);
	}

	/**
	 * @throws IllegalStateException if it fails, with its output
	 */
	public static String run(Path folder, String... command) {
		String line = String.join(" ", command);
		try {
			Process process = new ProcessBuilder(command).directory(folder.toFile()).redirectErrorStream(true).start();
			process.getOutputStream().close();
			String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
			if (process.waitFor() != 0) {
				throw new IllegalStateException(line + " failed: " + said);
			}
			return said;
		}
		catch (IOException ex) {
			throw new UncheckedIOException(line + " cannot be run", ex);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new IllegalStateException("Interrupted during " + line, ex);
		}
	}

}
