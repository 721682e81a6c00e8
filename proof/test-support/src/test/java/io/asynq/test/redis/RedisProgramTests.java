package io.asynq.test.redis;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

class RedisProgramTests {

	@TempDir
	Path folder;

	@Test
	void withoutChoiceAllAreTriedInOrder() {
		assertThat(RedisProgram.kinds("")).containsExactly("path", "embedded", "container");
	}

	@ParameterizedTest
	@ValueSource(strings = { "path", "embedded", "container" })
	void keywordSelectsOneKindOnly(String word) {
		assertThat(RedisProgram.kinds(word)).containsExactly(word);
	}

	@Test
	void pathSelectsExecutableOnly() throws IOException {
		Path executable = Files.createFile(this.folder.resolve("redis-server-8"));
		assertThat(executable.toFile().setExecutable(true)).isTrue();
		assertThat(RedisProgram.kinds(executable.toString())).containsExactly(executable.toString());
	}

	@Test
	void unknownChoiceIsRejected() throws IOException {
		Path text = Files.createFile(this.folder.resolve("redis.conf"));
		for (String wrong : new String[] { "embeded", "/no/such/redis-server", this.folder.toString(),
				text.toString() }) {
			assertThatIllegalArgumentException().isThrownBy(() -> RedisProgram.kinds(wrong))
				.withMessageContainingAll("asynq.test.redis", wrong, "path, embedded, container");
		}
	}

}
