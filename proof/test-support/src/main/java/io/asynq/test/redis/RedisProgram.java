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
 * The {@code redis-server} on the PATH, else the embedded Redis 6.2, unless the property
 * {@code asynq.test.redis} says {@code path}, {@code embedded}, {@code container} or a
 * path.
 */
public final class RedisProgram {

	private static final String CONTAINER = "container";

	private static final List<String> KINDS = List.of("path", "embedded", CONTAINER);

	private static @Nullable Path found;

	private RedisProgram() {
	}

	/**
	 * @throws IllegalStateException if there is none, with every reason
	 */
	static synchronized Path find() {
		if (found == null) {
			found = search(kinds());
		}
		return found;
	}

	/**
	 * @param picked {@code path}, {@code embedded}, or the path of an executable
	 * @throws IllegalStateException if it cannot be run
	 */
	public static Path find(String picked) {
		return search(kinds(picked));
	}

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
