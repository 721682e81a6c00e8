package io.asynq.reliability.redis;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;

/**
 * A program that is run to its end.
 */
final class Command {

	private Command() {
	}

	/**
	 * Runs a program.
	 * @param command its name and arguments
	 * @return what it said
	 */
	static String run(String... command) {
		String line = String.join(" ", command);
		try {
			Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
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
