package io.asynq;

import io.asynq.internal.text.GoText;

/**
 * A task or one of its options cannot be enqueued as given; nothing was written.
 */
public class InvalidTaskException extends AsynqException {

	private final String option;

	/**
	 * Creates the exception.
	 * @param option the option, or {@code type} or {@code payload}
	 * @param message what is wrong and what would be right
	 */
	public InvalidTaskException(String option, String message) {
		super(message);
		this.option = option;
	}

	/**
	 * Returns the name of the option, or {@code type} or {@code payload}.
	 */
	public String option() {
		return this.option;
	}

	/**
	 * Returns the value; throws if it is blank or cannot be encoded in UTF-8.
	 */
	public static String requireText(String option, String value) {
		if (GoText.isBlank(value)) {
			throw new InvalidTaskException(option,
					"Option '" + option + "' must contain one or more characters that are not blank");
		}
		return requireUtf8(option, value);
	}

	/**
	 * Returns the value; throws if it cannot be encoded in UTF-8, because other text
	 * would be stored in its place.
	 */
	public static String requireUtf8(String option, String value) {
		if (value == null || !isUtf8(value)) {
			throw new InvalidTaskException(option, "Option '" + option + "' "
					+ ((value != null) ? "has an unpaired surrogate, which UTF-8 cannot encode" : "must not be null"));
		}
		return value;
	}

	private static boolean isUtf8(String text) {
		int codePoint;
		for (int i = 0; i < text.length(); i += Character.charCount(codePoint)) {
			codePoint = text.codePointAt(i);
			if (codePoint >= Character.MIN_SURROGATE && codePoint <= Character.MAX_SURROGATE) {
				return false;
			}
		}
		return true;
	}

}
