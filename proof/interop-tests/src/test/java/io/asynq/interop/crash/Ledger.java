package io.asynq.interop.crash;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;

/**
 * A file to which workers append a line for each task they have done, and which survives
 * them. Safe for concurrent use by several processes, because each line is written at
 * once.
 *
 * @param file the file
 */
record Ledger(Path file) {

	void add(String taskId) {
		try {
			Files.writeString(this.file, taskId + "\n", StandardOpenOption.CREATE, StandardOpenOption.APPEND);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/**
	 * Reads the ids of the tasks done so far, in order, some of them more than once.
	 */
	List<String> read() {
		try {
			return Files.exists(this.file) ? Files.readAllLines(this.file) : List.of();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

}
