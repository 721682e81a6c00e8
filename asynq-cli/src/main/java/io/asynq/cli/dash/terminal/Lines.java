package io.asynq.cli.dash.terminal;

import java.util.ArrayList;
import java.util.List;

/**
 * Texts that are longer than a line.
 */
public final class Lines {

	private Lines() {
	}

	/** Breaks a text where a line is full. */
	public static List<String> wrap(String text, int width) {
		List<String> lines = new ArrayList<>();
		int from = 0;
		int used = 0;
		for (int at = 0; at < text.length();) {
			int codePoint = text.codePointAt(at);
			int columns = Harmless.width(Harmless.character(codePoint));
			if (used + columns > Math.max(2, width)) {
				lines.add(text.substring(from, at));
				from = at;
				used = 0;
			}
			used += columns;
			at += Character.charCount(codePoint);
		}
		lines.add(text.substring(from));
		return lines;
	}

	/** Cuts the middle out of a name: its end is often what tells it from others. */
	public static String shorten(String name, int most) {
		int[] characters = name.codePoints().toArray();
		if (characters.length <= most) {
			return name;
		}
		int half = (most - 1) / 2;
		return new String(characters, 0, half) + "~" + new String(characters, characters.length - half, half);
	}

}
