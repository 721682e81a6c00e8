package io.asynq.test.redis;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

import io.asynq.test.process.Command;
import org.jspecify.annotations.Nullable;
import redis.embedded.core.ExecutableProvider;

/**
 * Finds the {@code redis-server} for tests: the one on the PATH, otherwise the embedded
 * binary of Redis 6.2. The system property {@code asynq.test.redis} selects one:
 * {@code path}, {@code embedded}, {@code container} (no executable), or the path of an
 * executable.
 */
public final class RedisProgram {

	private static final String CONTAINER = "container";

	private static final List<String> KINDS = List.of("path", "embedded", CONTAINER);

	private static @Nullable Path found;

	private RedisProgram() {
	}

	/**
	 * Finds the program.
	 * @throws IllegalStateException if there is none, with every reason
	 */
	static synchronized Path find() {
		if (found == null) {
			found = search(kinds());
		}
		return found;
	}

	/**
	 * Finds a certain program.
	 * @param picked {@code path}, {@code embedded}, or the path of an executable
	 * @throws IllegalStateException if it cannot be run
	 */
	public static Path find(String picked) {
		return search(kinds(picked));
	}

	/**
	 * Tells whether a container may be used if there is no program.
	 */
	public static boolean mayBeContainer() {
		return kinds().contains(CONTAINER);
	}

	private static List<String> kinds() {
		return kinds(System.getProperty("asynq.test.redis", ""));
	}

	static List<String> kinds(String picked) {
		if (picked.isBlank()) {
			return KINDS;
		}
		if (!KINDS.contains(picked) && !isExecutable(picked)) {
			throw new IllegalArgumentException("asynq.test.redis is '" + picked + "', which is neither one of " + KINDS
					+ " nor an executable; a relative path begins at the module's directory");
		}
		return List.of(picked);
	}

	private static boolean isExecutable(String path) {
		return Files.isRegularFile(Path.of(path)) && Files.isExecutable(Path.of(path));
	}

	private static Path search(List<String> kinds) {
		List<String> reasons = new ArrayList<>();
		for (String kind : kinds) {
			if (!CONTAINER.equals(kind)) {
				try {
					Path program = program(kind).toAbsolutePath();
					// It may be built for another platform
					Command.run(program.toString(), "--version");
					return program;
				}
				catch (IOException | UncheckedIOException | IllegalStateException ex) {
					reasons.add(kind + ": " + ex.getMessage());
				}
			}
		}
		throw new IllegalStateException("No redis-server can be started: " + reasons);
	}

	private static Path program(String kind) throws IOException {
		return switch (kind) {
			case "path" -> ExecutableProvider.newExecutableInPath("redis-server").get().toPath();
			case "embedded" -> ExecutableProvider.newJarResourceProvider().get().toPath();
			default -> Path.of(kind);
		};
	}

}
