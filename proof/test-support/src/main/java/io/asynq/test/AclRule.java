package io.asynq.test;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;

import io.asynq.test.process.Repository;
import org.springframework.data.redis.connection.RedisConnection;
import org.springframework.data.redis.connection.RedisConnectionFactory;

/**
 * The rule of asynq's Redis user, as documented in {@code docs/security.md}.
 */
public final class AclRule {

	/** Name and password of the user that {@link #grant} makes. */
	public static final String USER = "asynq";

	public static final String PASSWORD = "change-me";

	private static final String FENCE = "```redis-acl\n";

	private AclRule() {
	}

	/** Without the user's name and password. */
	public static List<String> documented() {
		try {
			String document = Files.readString(Repository.path("docs/security.md"));
			int start = document.indexOf(FENCE) + FENCE.length();
			String[] words = document.substring(start, document.indexOf("```", start)).trim().split("\\s+");
			return List.of(words).subList(3, words.length);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	public static void grant(RedisConnectionFactory factory, List<String> rights) {
		List<String> words = new ArrayList<>(List.of("SETUSER", USER, "reset", "on", ">" + PASSWORD));
		words.addAll(rights);
		try (RedisConnection connection = factory.getConnection()) {
			connection.execute("ACL",
					words.stream().map((word) -> word.getBytes(StandardCharsets.UTF_8)).toArray(byte[][]::new));
		}
	}

}
