package io.asynq.test.process;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;

public final class GoProgram {

	private GoProgram() {
	}

	public static boolean canBeBuilt() {
		return Toolchain.PRESENT;
	}

	/**
	 * Builds unless the program is up to date, also if several processes ask, and without
	 * symbols for debuggers and the commit: linking them takes time.
	 * @param more further arguments of {@code go build}, such as the package
	 * @throws IllegalStateException if the build fails, with the output of the compiler
	 */
	public static synchronized Path build(Path source, Path executable, String... more) {
		Path absolute = executable.toAbsolutePath();
		List<String> command = new ArrayList<>(
				List.of("go", "build", "-buildvcs=false", "-ldflags=-s -w", "-o", absolute.toString()));
		command.addAll(List.of(more));
		try {
			Files.createDirectories(absolute.getParent());
			// Of two builds at a time both would compile what is not in Go's cache yet
			try (FileChannel file = FileChannel.open(Path.of(absolute + ".lock"), StandardOpenOption.CREATE,
					StandardOpenOption.WRITE); FileLock lock = file.lock()) {
				Command.run(source, command.toArray(String[]::new));
			}
			return absolute;
		}
		catch (IOException ex) {
			throw new UncheckedIOException(absolute + " cannot be built", ex);
		}
	}

	private static final class Toolchain {

		static final boolean PRESENT = answers();

		private static boolean answers() {
			try {
				Command.run("go", "version");
				return true;
			}
			catch (IllegalStateException | UncheckedIOException ex) {
				return false;
			}
		}

	}

}
