package io.asynq.cli.dash;

import java.util.List;

import org.jline.utils.AttributedString;
import org.jline.utils.AttributedStyle;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What a canvas lets through.
 */
class CanvasTests {

	@ParameterizedTest
	@ValueSource(strings = { "\u001b[2J", "\u001b]0;title\u0007", "\u009b31m", "a\rb", "a\nb", "a\tb", "\u0000",
			"\u007f", "\u202eright to left", "\u200b\u2028\u2029", "\ud800", "\ue000", "e\u0301" })
	void noCharacterThatATerminalObeysGetsThrough(String hostile) {
		Canvas canvas = new Canvas(40, 1);
		canvas.put(0, 0, hostile, Tone.PLAIN);
		List<AttributedString> lines = canvas.lines((tone) -> AttributedStyle.DEFAULT);
		assertThat(lines).singleElement().satisfies((line) -> {
			assertThat(line.columnLength()).isEqualTo(40);
			assertThat(line.toString().codePoints())
				.allMatch((codePoint) -> codePoint == Harmless.INSTEAD || (codePoint >= ' ' && codePoint < 127));
		});
	}

	@Test
	void wideCharactersTakeTwoColumns() {
		Canvas canvas = new Canvas(10, 1);
		assertThat(canvas.put(0, 0, "日本🚀x", Tone.PLAIN)).isEqualTo(7);
		assertThat(canvas.text()).isEqualTo("日本🚀x\n");
		assertThat(canvas.lines((tone) -> AttributedStyle.DEFAULT).get(0).columnLength()).isEqualTo(10);
	}

	@Test
	void saysThatATextWasCutOff() {
		Canvas canvas = new Canvas(20, 3);
		canvas.put(0, 0, 5, "abcdef", Tone.PLAIN);
		canvas.put(1, 0, 5, "日本語", Tone.PLAIN);
		canvas.put(2, 0, 5, "abcde", Tone.PLAIN);
		canvas.put(7, 0, "outside", Tone.PLAIN);
		assertThat(canvas.text()).isEqualTo("abcd~\n日本~\nabcde\n");
	}

}
