package io.asynq.reliability.process;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/**
 * The Go side of this module, built when it is asked for.
 */
public final class GoProgram {

	private GoProgram() {
	}

	/**
	 * Builds the program; Go itself notices when there is nothing to do.
	 * @param module the folder of this module
	 * @return the executable
	 */
	public static Path build(Path module) {
		Path executable = module.resolve("target/go/reliability").toAbsolutePath();
		try {
			Process build = new ProcessBuilder("go", "build", "-o", executable.toString(), ".")
				.directory(module.resolve("go").toFile())
				.redirectErrorStream(true)
				.start();
			String said = new String(build.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
			if (build.waitFor() != 0) {
				throw new IllegalStateException("The Go program does not build: " + said);
			}
			return executable;
		}
		catch (IOException ex) {
			throw new UncheckedIOException("The Go program cannot be built: is go on the PATH?", ex);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new IllegalStateException("Interrupted while Go was building", ex);
		}
	}

}
