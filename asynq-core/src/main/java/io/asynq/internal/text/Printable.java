package io.asynq.internal.text;

import org.jspecify.annotations.Nullable;

/**
 * Ids, types, names and error texts come from everybody who can write to Redis, and must
 * neither start a new line of the log nor control a terminal.
 */
final class Printable {

	private static final int MAX_SHOWN = 2000;

	private Printable() {
	}

	static String of(@Nullable Object value) {
		try {
			String text = String.valueOf(value);
			return isPlain(text) || isPrintable(text) ? text : escape(text);
		}
		catch (Throwable ex) {
			// Logging must not make anything else fail
			return "(" + ((value != null) ? value.getClass().getName() : "null") + ", which cannot be shown)";
		}
	}

	/**
	 * Most texts are, and for these no stream is built.
	 */
	private static boolean isPlain(String text) {
		int length = text.length();
		if (length > MAX_SHOWN) {
			return false;
		}
		for (int i = 0; i < length; i++) {
			char character = text.charAt(i);
			if (character < ' ' || character >= 0x7f) {
				return false;
			}
		}
		return true;
	}

	static boolean isPrintable(String text) {
		return text.length() <= MAX_SHOWN && text.codePoints().allMatch(Printable::isPrintable);
	}

	private static String escape(String text) {
		StringBuilder escaped = new StringBuilder();
		int end = Math.min(text.length(), MAX_SHOWN);
		text.substring(0, end).codePoints().forEach((codePoint) -> append(escaped, codePoint));
		if (end < text.length()) {
			escaped.append("… (").append(text.length() - end).append(" more)");
		}
		return escaped.toString();
	}

	private static void append(StringBuilder escaped, int codePoint) {
		if (isPrintable(codePoint)) {
			escaped.appendCodePoint(codePoint);
			return;
		}
		switch (codePoint) {
			case '\n' -> escaped.append("\\n");
			case '\r' -> escaped.append("\\r");
			case '\t' -> escaped.append("\\t");
			default -> {
				for (char unit : Character.toChars(codePoint)) {
					escaped.append("\\u%04x".formatted((int) unit));
				}
			}
		}
	}

	private static boolean isPrintable(int codePoint) {
		if (codePoint < 0x7f) {
			return codePoint >= ' ';
		}
		return switch (Character.getType(codePoint)) {
			case Character.CONTROL, Character.FORMAT, Character.SURROGATE, Character.PRIVATE_USE, Character.UNASSIGNED,
					Character.LINE_SEPARATOR, Character.PARAGRAPH_SEPARATOR ->
				false;
			default -> true;
		};
	}

}
