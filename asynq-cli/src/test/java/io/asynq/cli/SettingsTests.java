package io.asynq.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class SettingsTests {

	@TempDir
	private Path home;

	@Test
	void isOptional() {
		assertThat(Settings.readFile(null, this.home)).isEmpty();
	}

	@Test
	void readsYamlAndJson() throws IOException {
		write(".asynq.json", "{\"uri\": \"h:1\", \"cluster\": true}");
		assertThat(Settings.readFile(null, this.home)).containsEntry("uri", "h:1").containsEntry("cluster", "true");
		write(".asynq.yaml", "URI: h:2\ndb: 3\nsomething: else\npassword:\n");
		assertThat(Settings.readFile(null, this.home)).containsEntry("uri", "h:2")
			.containsEntry("db", "3")
			.containsOnlyKeys("uri", "db");
	}

	@Test
	void readsFileThatIsNamed() throws IOException {
		write(".asynq.yaml", "uri: h:1");
		Path other = write("other.yaml", "uri: h:2");
		assertThat(Settings.readFile(other.toString(), this.home)).containsEntry("uri", "h:2");
	}

	@Test
	void namedFileMustExist() {
		assertThatExceptionOfType(UsageException.class)
			.isThrownBy(() -> Settings.readFile(this.home.resolve("none").toString(), this.home))
			.withMessageContaining("none cannot be read");
	}

	@ParameterizedTest
	@ValueSource(strings = { "- a", "uri: [a", "uri: {a: s3cret}",
			"password: !!javax.script.ScriptEngineManager s3cret", "just text", "\t- s3cret: [" })
	void refusesWhatIsNoListOfValues(String content) throws IOException {
		write(".asynq.yaml", content);
		assertThatExceptionOfType(UsageException.class).isThrownBy(() -> Settings.readFile(null, this.home))
			.withMessageContaining(".asynq.yaml")
			.matches((ex) -> !ex.getMessage().contains("s3cret"));
	}

	private Path write(String name, String content) throws IOException {
		return Files.writeString(this.home.resolve(name), content);
	}

}
