package io.asynq.test.redis;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/**
 * Debian's {@code libfaketime} adds an offset from a file, which can be set while the
 * process runs; the monotonic clock is not changed.
 */
final class FakedTime {

	private static final List<Path> LIBRARIES = List.of(Path.of("/usr/lib/x86_64-linux-gnu/faketime/libfaketime.so.1"),
			Path.of("/usr/lib/aarch64-linux-gnu/faketime/libfaketime.so.1"),
			Path.of("/usr/lib64/faketime/libfaketime.so.1"));

	/**
	 * libfaketime leaves these behind when its process is killed; a later process may get
	 * the same pid.
	 */
	private static final List<String> LEFT_BEHIND = List.of("faketime_shm_", "sem.faketime_sem_");

	/**
	 * Preloaded as well for its malloc, because jemalloc, which Debian's Redis uses, asks
	 * for the time before libfaketime is ready.
	 */
	private static final String MALLOC = "libc.so.6";

	private final Path file;

	FakedTime(Path folder) {
		this.file = folder.resolve("clock");
		set(Duration.ZERO);
	}

	static boolean isAvailable() {
		return LIBRARIES.stream().anyMatch(Files::exists);
	}

	Map<String, String> environment() {
		return Map.of("LD_PRELOAD", library() + ":" + MALLOC, "FAKETIME_TIMESTAMP_FILE", this.file.toString(),
				"FAKETIME_NO_CACHE", "1", "FAKETIME_DONT_FAKE_MONOTONIC", "1");
	}

	void set(Duration ahead) {
		try {
			// Replaced atomically, because it can be read at any time
			Path next = this.file.resolveSibling("clock.next");
			Files.writeString(next, "%+d".formatted(ahead.toSeconds()));
			Files.move(next, this.file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	static void forget(long pid) {
		try {
			for (String name : LEFT_BEHIND) {
				Files.deleteIfExists(Path.of("/dev/shm", name + pid));
			}
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	private static Path library() {
		return LIBRARIES.stream()
			.filter(Files::exists)
			.findFirst()
			.orElseThrow(
					() -> new IllegalStateException("The clock of Redis cannot be set without libfaketime, which is"
							+ " none of " + LIBRARIES + ": install Debian's package 'libfaketime'"));
	}

}
