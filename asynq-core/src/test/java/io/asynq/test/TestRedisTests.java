package io.asynq.test;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

class TestRedisTests {

	@TempDir
	Path folder;

	@Test
	void nothingPickedTriesAllInTheirOrder() {
		assertThat(TestRedis.kinds("")).containsExactly("path", "embedded", "container");
	}

	@ParameterizedTest
	@ValueSource(strings = { "path", "embedded", "container" })
	void aWordPicksThatOneOnly(String word) {
		assertThat(TestRedis.kinds(word)).containsExactly(word);
	}

	@Test
	void aPathPicksThatExecutableOnly() throws IOException {
		Path executable = Files.createFile(this.folder.resolve("redis-server-8"));
		assertThat(executable.toFile().setExecutable(true)).isTrue();
		assertThat(TestRedis.kinds(executable.toString())).containsExactly(executable.toString());
	}

	@Test
	void whatIsNeitherIsRefusedAndNothingElseTaken() throws IOException {
		Path text = Files.createFile(this.folder.resolve("redis.conf"));
		for (String wrong : new String[] { "embeded", "/no/such/redis-server", this.folder.toString(),
				text.toString() }) {
			assertThatIllegalArgumentException().isThrownBy(() -> TestRedis.kinds(wrong))
				.withMessageContainingAll("asynq.test.redis", wrong, "path, embedded, container");
		}
	}

}
