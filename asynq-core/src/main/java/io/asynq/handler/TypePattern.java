package io.asynq.handler;

import io.asynq.internal.text.GoText;

/**
 * The types that a handler processes: one type, or all types with a prefix. Types are
 * case-sensitive.
 */
public record TypePattern(String text, boolean prefix) {

	/**
	 * Returns the pattern of one type.
	 * @throws IllegalArgumentException if the type is blank
	 */
	public static TypePattern exact(String type) {
		if (GoText.isBlank(type)) {
			throw new IllegalArgumentException("The type of a task handler must not be blank");
		}
		return new TypePattern(type, false);
	}

	/**
	 * Returns the pattern of all types with a prefix; "" for all types.
	 */
	public static TypePattern prefix(String prefix) {
		return new TypePattern(prefix, true);
	}

	/**
	 * Returns the type, or the prefix with an asterisk.
	 */
	@Override
	public String toString() {
		return this.prefix ? this.text + "*" : this.text;
	}

}
