package io.asynq.test.process;

import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Finds files of this project from any working directory in it.
 */
public final class Repository {

	private static final String MARK = "proof/test-support/go/go.mod";

	private Repository() {
	}

	public static Path path(String path) {
		Path folder = Path.of("").toAbsolutePath();
		while (!Files.exists(folder.resolve(MARK))) {
			folder = folder.getParent();
			if (folder == null) {
				throw new IllegalStateException(
						"Not started in a folder of the project: " + Path.of("").toAbsolutePath());
			}
		}
		return folder.resolve(path);
	}

}
