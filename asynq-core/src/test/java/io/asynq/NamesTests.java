package io.asynq;

import java.util.stream.IntStream;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class NamesTests {

	@Test
	void spaceIsWhatGoTrims() {
		int[] blank = IntStream.rangeClosed(0, Character.MAX_CODE_POINT)
			.filter((codePoint) -> Names.isBlank(Character.toString(codePoint)))
			.toArray();
		assertThat(blank).containsExactly(0x09, 0x0a, 0x0b, 0x0c, 0x0d, 0x20, 0x85, 0xa0, 0x1680, 0x2000, 0x2001,
				0x2002, 0x2003, 0x2004, 0x2005, 0x2006, 0x2007, 0x2008, 0x2009, 0x200a, 0x2028, 0x2029, 0x202f, 0x205f,
				0x3000);
	}

	@Test
	void oneVisibleCharacterIsEnough() {
		assertThat(Names.isBlank(null)).isTrue();
		assertThat(Names.isBlank("")).isTrue();
		assertThat(Names.isBlank("\u00a0 \t")).isTrue();
		assertThat(Names.isBlank(" a ")).isFalse();
	}

	@Test
	void onlyHalvesOfSurrogatePairsAreNotUtf8() {
		assertThat(Stream.of("", "a", "\ud7ff\ue000\uffff", "\ud800\udc00", "a\udbff\udfffb")).allMatch(Names::isUtf8);
		assertThat(Stream.of("\ud800", "\udc00", "a\ud800", "\ud800b", "\udc00\ud800", "\ud800\ud800\udc00",
				"\ud800\udc00\udc00"))
			.noneMatch(Names::isUtf8);
	}

	@ParameterizedTest
	@ValueSource(strings = { "\u00a0", "\u2007", "\u202f", "\u0085" })
	void whatGoRefusesIsRefused(String name) {
		assertThatExceptionOfType(InvalidTaskException.class).isThrownBy(() -> TaskOptions.of((o) -> o.queue(name)));
		assertThatExceptionOfType(InvalidTaskException.class).isThrownBy(() -> TaskOptions.of((o) -> o.taskId(name)));
		assertThatExceptionOfType(InvalidTaskException.class).isThrownBy(() -> TaskOptions.of((o) -> o.group(name)));
	}

	@ParameterizedTest
	@ValueSource(strings = { "\u001c", "\u001d", "\u001e", "\u001f", "\u180e", "\u200b" })
	void whatGoTakesIsTaken(String name) {
		assertThat(TaskOptions.of((o) -> o.queue(name).taskId(name).group(name)).queue()).isEqualTo(name);
	}

}
