package io.asynq;

import java.util.stream.Stream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class InvalidTaskExceptionTests {

	@Test
	void onlyUnpairedSurrogatesAreInvalidUtf8() {
		assertThat(Stream.of("", "a", "\ud7ff\ue000\uffff", "\ud800\udc00", "a\udbff\udfffb"))
			.allSatisfy((text) -> assertThat(InvalidTaskException.requireUtf8("header", text)).isEqualTo(text));
		assertThat(Stream.of("\ud800", "\udc00", "a\ud800", "\ud800b", "\udc00\ud800", "\ud800\ud800\udc00",
				"\ud800\udc00\udc00"))
			.allSatisfy((text) -> assertThatExceptionOfType(InvalidTaskException.class)
				.isThrownBy(() -> InvalidTaskException.requireUtf8("header", text))
				.withMessage("Option 'header' has an unpaired surrogate, which UTF-8 cannot encode"));
	}

	@ParameterizedTest
	@ValueSource(strings = { "\u00a0", "\u2007", "\u202f", "\u0085" })
	void rejectsNamesThatGoRejects(String name) {
		assertThatExceptionOfType(InvalidTaskException.class).isThrownBy(() -> TaskOptions.of((o) -> o.queue(name)));
		assertThatExceptionOfType(InvalidTaskException.class).isThrownBy(() -> TaskOptions.of((o) -> o.taskId(name)));
		assertThatExceptionOfType(InvalidTaskException.class).isThrownBy(() -> TaskOptions.of((o) -> o.group(name)));
	}

	@ParameterizedTest
	@ValueSource(strings = { "\u001c", "\u001d", "\u001e", "\u001f", "\u180e", "\u200b" })
	void acceptsNamesThatGoAccepts(String name) {
		assertThat(TaskOptions.of((o) -> o.queue(name).taskId(name).group(name)).queue()).isEqualTo(name);
	}

}
