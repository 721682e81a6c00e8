package io.asynq.cli.dash;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;

import org.jline.utils.AttributedString;
import org.jline.utils.AttributedStringBuilder;
import org.jline.utils.AttributedStyle;

/**
 * A screen before it is shown. Nothing gets to the terminal but through it, so it is here
 * that characters become harmless.
 */
final class Canvas {

	/** The second column of a wide character. */
	private static final int TAKEN = -1;

	private final int[][] characters;

	private final Tone[][] tones;

	Canvas(int width, int height) {
		this.characters = new int[height][width];
		this.tones = new Tone[height][width];
		for (int row = 0; row < height; row++) {
			Arrays.fill(this.characters[row], ' ');
			Arrays.fill(this.tones[row], Tone.PLAIN);
		}
	}

	int width() {
		return (height() > 0) ? this.characters[0].length : 0;
	}

	int height() {
		return this.characters.length;
	}

	int put(int row, int column, String text, Tone tone) {
		return put(row, column, width() - column, text, tone);
	}

	/** Writes a text into a cell; what does not fit is cut off. */
	int put(int row, int column, int room, String text, Tone tone) {
		int end = Math.min(width(), column + Math.max(0, room));
		if (row < 0 || row >= height()) {
			return column;
		}
		int at = column;
		boolean whole = Harmless.width(text) <= end - column;
		for (int index = 0; index < text.length();) {
			int codePoint = text.codePointAt(index);
			index += Character.charCount(codePoint);
			int character = Harmless.character(codePoint);
			int width = Harmless.width(character);
			if (at + width > (whole ? end : end - 1)) {
				break;
			}
			set(row, at, character, tone);
			if (width == 2) {
				set(row, at + 1, TAKEN, tone);
			}
			at += width;
		}
		if (!whole && at < end) {
			set(row, at++, '~', tone);
		}
		return at;
	}

	void tone(int row, Tone tone) {
		if (row >= 0 && row < height()) {
			Arrays.fill(this.tones[row], tone);
		}
	}

	void clear(int row) {
		if (row >= 0 && row < height()) {
			Arrays.fill(this.characters[row], ' ');
			tone(row, Tone.PLAIN);
		}
	}

	String text() {
		StringBuilder text = new StringBuilder();
		for (int[] row : this.characters) {
			StringBuilder line = new StringBuilder();
			Arrays.stream(row).filter((character) -> character != TAKEN).forEach(line::appendCodePoint);
			text.append(line.toString().stripTrailing()).append('\n');
		}
		return text.toString();
	}

	List<AttributedString> lines(Function<Tone, AttributedStyle> look) {
		List<AttributedString> lines = new ArrayList<>();
		for (int row = 0; row < height(); row++) {
			AttributedStringBuilder line = new AttributedStringBuilder(width());
			for (int column = 0; column < width(); column++) {
				if (this.characters[row][column] != TAKEN) {
					line.style(look.apply(this.tones[row][column]));
					line.append(Character.toString(this.characters[row][column]));
				}
			}
			lines.add(line.toAttributedString());
		}
		return lines;
	}

	private void set(int row, int column, int character, Tone tone) {
		this.characters[row][column] = character;
		this.tones[row][column] = tone;
	}

}
