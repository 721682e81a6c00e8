package io.asynq.logging;

import org.jspecify.annotations.Nullable;

/**
 * Text from outside as one line can show it: ids, types, names and error texts come from
 * whoever may write to Redis, and must neither begin a line of the log nor steer a
 * terminal. A backslash stays as it is, so what is shown is for reading, not for reading
 * back.
 */
final class Printable {

	private static final int MAX_SHOWN = 2000;

	private Printable() {
	}

	/**
	 * Returns what a value says of itself, on one line and not without end.
	 * @param value any value, whose {@code toString} may fail
	 * @return the text
	 */
	static String of(@Nullable Object value) {
		try {
			String text = String.valueOf(value);
			return isPrintable(text) ? text : escape(text);
		}
		catch (Throwable ex) {
			// Nothing that is logged may be the reason why something else is not done
			return "(" + ((value != null) ? value.getClass().getName() : "null") + ", which cannot be shown)";
		}
	}

	/**
	 * Tells whether a text can be shown as it is.
	 * @param text any text
	 * @return whether it is one line of visible characters, and not too long
	 */
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
