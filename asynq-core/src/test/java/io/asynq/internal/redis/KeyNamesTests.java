package io.asynq.internal.redis;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Who looks for the name of a key finds it in one of two classes; Lua gets its keys from
 * there, see {@link LuaScriptTests}.
 */
class KeyNamesTests {

	private static final Path SOURCES = Path.of("src/main/java");

	private static final Pattern KEY = Pattern.compile("\"asynqj?:[^ \"]");

	@Test
	void keyNamesAreInTwoClasses() throws IOException {
		try (Stream<Path> files = Files.walk(SOURCES)) {
			List<Path> naming = files.filter(Files::isRegularFile).filter(KeyNamesTests::namesKey).toList();
			assertThat(naming).extracting((file) -> file.getFileName().toString())
				.containsExactlyInAnyOrder("Keys.java", "FleetKeys.java");
		}
	}

	private static boolean namesKey(Path file) {
		try {
			return KEY.matcher(Files.readString(file)).find();
		}
		catch (IOException ex) {
			throw new IllegalStateException(ex);
		}
	}

}
