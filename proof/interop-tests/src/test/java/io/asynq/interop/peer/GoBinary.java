package io.asynq.interop.peer;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.regex.Pattern;

import io.asynq.test.process.Command;
import io.asynq.test.process.GoProgram;
import io.asynq.test.process.Repository;
import tools.jackson.databind.json.JsonMapper;

/**
 * The Go programs of this module, on disk.
 */
public final class GoBinary {

	private static final Duration BEHIND = Duration.ofSeconds(60);

	private static final Pattern PRESENT = Pattern.compile("sec, nsec, mono := \\w+\\(\\)");

	private GoBinary() {
	}

	/**
	 * Builds a program below {@code src/test}, or waits until another JVM has built it.
	 * @param source its directory there
	 * @param name the name of the executable
	 * @param flags further flags of {@code go build}, and last the package if it is not
	 * the directory
	 * @return the executable
	 * @throws IllegalStateException if it does not build, with the output of the compiler
	 */
	public static Path build(String source, String name, String... flags) {
		return GoProgram.build(module().resolve("src/test").resolve(source),
				module().resolve("target/go").resolve(name), flags);
	}

	/**
	 * Returns the directory below {@code target} for what programs write. Each JVM has
	 * its own.
	 */
	public static Path target() {
		return module().resolve("target/go-peer" + System.getProperty("asynq.test.fork", ""));
	}

	/**
	 * Returns the directory of this Maven module.
	 */
	public static Path module() {
		return Repository.path("proof/interop-tests");
	}

	/**
	 * Builds the peer once and returns the executable.
	 */
	static Path peer() {
		return Peer.EXECUTABLE;
	}

	/**
	 * Builds the peer once with a Go whose clock is a minute behind, and returns the
	 * executable. Go measures durations correctly, but every current time that the
	 * program or a library of it asks for is a minute late. Go asks the kernel without
	 * the C library, so no preloaded library could do that.
	 */
	static Path peerBehind() {
		return PeerBehind.EXECUTABLE;
	}

	private static Path overlay() {
		try {
			Path source = Path.of(Command.run("go", "env", "GOROOT").strip(), "src", "time", "time.go");
			String text = Files.readString(source);
			String behind = PRESENT.matcher(text).replaceFirst("$0; sec -= " + BEHIND.toSeconds());
			if (behind.equals(text)) {
				throw new IllegalStateException("Where Go asks for the time is not known: " + source);
			}
			Files.createDirectories(target());
			Path replacement = Files.writeString(target().resolve("time.go"), behind);
			return Files.writeString(target().resolve("overlay.json"), JsonMapper.shared()
				.writeValueAsString(Map.of("Replace", Map.of(source.toString(), replacement.toString()))));
		}
		catch (IOException ex) {
			throw new UncheckedIOException("Go's clock cannot be set", ex);
		}
	}

	private static final class Peer {

		static final Path EXECUTABLE = build("go", "asynqpeer");

	}

	private static final class PeerBehind {

		static final Path EXECUTABLE = build("go", "asynqpeer-behind", "-overlay", overlay().toString());

	}

}
