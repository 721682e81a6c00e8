package io.asynq.benchmarks.process;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

/** Finds a JDK with virtual threads. */
final class NewerJava {

	private static final int FIRST_WITH_VIRTUAL_THREADS = 21;

	private NewerJava() {
	}

	static @Nullable Path find() {
		List<Path> homes = new ArrayList<>();
		String named = System.getenv("JAVA_HOME_25");
		if (named != null) {
			homes.add(Path.of(named));
		}
		Path installed = Path.of("/usr/lib/jvm");
		if (Files.isDirectory(installed)) {
			try (Stream<Path> list = Files.list(installed)) {
				homes.addAll(list.sorted().toList());
			}
			catch (IOException ex) {
				throw new UncheckedIOException(ex);
			}
		}
		return homes.stream()
			.filter((home) -> version(home) >= FIRST_WITH_VIRTUAL_THREADS)
			.map((home) -> home.resolve("bin/java"))
			.filter(Files::isExecutable)
			.findFirst()
			.orElse(null);
	}

	private static int version(Path home) {
		Path release = home.resolve("release");
		if (!Files.isRegularFile(release)) {
			return 0;
		}
		try {
			return Files.readAllLines(release)
				.stream()
				.filter((line) -> line.startsWith("JAVA_VERSION="))
				.map((line) -> line.replaceAll("[^0-9.]", "").split("\\.")[0])
				.mapToInt(Integer::parseInt)
				.findFirst()
				.orElse(0);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

}
