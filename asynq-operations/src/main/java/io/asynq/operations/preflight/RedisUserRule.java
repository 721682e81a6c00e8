package io.asynq.operations.preflight;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.Stream;

/** The same rule as in docs/security.md, as arguments of {@code ACL SETUSER}. */
final class RedisUserRule {

	private static final String FILE = "/io/asynq/redis-user.acl";

	private final String text;

	RedisUserRule() {
		try (InputStream in = RedisUserRule.class.getResourceAsStream(FILE)) {
			if (in == null) {
				throw new IllegalStateException(FILE + " is missing from the class path");
			}
			this.text = new String(in.readAllBytes(), StandardCharsets.UTF_8).strip().replaceAll("\\s+", " ");
		}
		catch (IOException ex) {
			throw new UncheckedIOException(FILE + " cannot be read", ex);
		}
	}

	SortedSet<String> commands() {
		SortedSet<String> commands = new TreeSet<>();
		Stream.of(this.text.split(" "))
			.filter((word) -> word.startsWith("+"))
			.forEach((word) -> commands.add(word.substring(1).split("\\|")[0].toUpperCase(Locale.ROOT)));
		return commands;
	}

	String advice() {
		return "grant the whole rule (docs/security.md): ACL SETUSER <its name> " + this.text;
	}

}
