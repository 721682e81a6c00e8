package io.asynq.internal.text;

import java.time.Instant;
import java.util.stream.IntStream;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

class GoTextTests {

	@Test
	void quotesAsGoDoes() {
		assertThat(GoText.quote("a\"b\\c\n\t\u0001\u007F\u00E9\u00A0\u200B\uD83D\uDE00'"))
			.isEqualTo("\"a\\\"b\\\\c\\n\\t\\x01\\x7f\u00E9\\u00a0\\u200b\uD83D\uDE00'\"");
	}

	@Test
	void readsQuotedText() {
		assertThat(GoText.unquote("\"a\\\"b\\\\c\\n\\t\\u00fc\\U0001F600\\x01\\101\""))
			.isEqualTo("a\"b\\c\n\tü😀\u0001A");
		assertThatIllegalArgumentException().isThrownBy(() -> GoText.unquote("\"\\q\""));
		assertThatIllegalArgumentException().isThrownBy(() -> GoText.unquote("\""));
	}

	@Test
	void readsWhatItWrites() {
		String text = "\u0007\b\f\n\r\t\u000b\\\"'$1 \u0000\u2028\uDBFF\uDFFF";
		assertThat(GoText.unquote(GoText.quote(text))).isEqualTo(text);
		Instant time = Instant.parse("2030-11-02T03:04:05Z");
		assertThat(GoText.date(time)).isEqualTo("Sat Nov  2 03:04:05 UTC 2030");
		assertThat(GoText.parseDate(GoText.date(time))).isEqualTo(time);
	}

	@Test
	void blankMeansWhatGoTrims() {
		int[] blank = IntStream.rangeClosed(0, Character.MAX_CODE_POINT)
			.filter((codePoint) -> GoText.isBlank(Character.toString(codePoint)))
			.toArray();
		assertThat(blank).containsExactly(0x09, 0x0a, 0x0b, 0x0c, 0x0d, 0x20, 0x85, 0xa0, 0x1680, 0x2000, 0x2001,
				0x2002, 0x2003, 0x2004, 0x2005, 0x2006, 0x2007, 0x2008, 0x2009, 0x200a, 0x2028, 0x2029, 0x202f, 0x205f,
				0x3000);
	}

	@Test
	void oneVisibleCharacterIsNotBlank() {
		assertThat(GoText.isBlank(null)).isTrue();
		assertThat(GoText.isBlank("")).isTrue();
		assertThat(GoText.isBlank("\u00a0 \t")).isTrue();
		assertThat(GoText.isBlank(" a ")).isFalse();
	}

}
