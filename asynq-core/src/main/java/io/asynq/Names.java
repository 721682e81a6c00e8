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
		return name == null || name.chars().allMatch(Names::isSpace);
	}

	private static boolean isSpace(int character) {
		return (character >= '\t' && character <= '\r') || character == NEXT_LINE || Character.isSpaceChar(character);
	}

}
