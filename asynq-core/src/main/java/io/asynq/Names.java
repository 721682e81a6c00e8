package io.asynq;

import org.jspecify.annotations.Nullable;

/**
 * What can be the name of a queue, a type, an id or a group.
 */
public final class Names {

	private static final int NEXT_LINE = 0x85;

	private Names() {
	}

	/**
	 * Tells whether a name is blank. Java and Go differ in which characters are space,
	 * and what one of both refused could not be reached from there; so it is as in Go.
	 * @param name the name
	 * @return whether there is none, or nothing but space in it
	 */
	public static boolean isBlank(@Nullable String name) {
		for (int i = 0; name != null && i < name.length(); i++) {
			if (!isSpace(name.charAt(i))) {
				return false;
			}
		}
		return true;
	}

	/**
	 * Tells whether UTF-8 can hold a text.
	 * @param text the text
	 * @return whether no half of a surrogate pair stands alone in it
	 */
	static boolean isUtf8(String text) {
		int codePoint;
		for (int i = 0; i < text.length(); i += Character.charCount(codePoint)) {
			codePoint = text.codePointAt(i);
			if (codePoint >= Character.MIN_SURROGATE && codePoint <= Character.MAX_SURROGATE) {
				return false;
			}
		}
		return true;
	}

	private static boolean isSpace(char character) {
		return (character >= '\t' && character <= '\r') || character == NEXT_LINE || Character.isSpaceChar(character);
	}

}
