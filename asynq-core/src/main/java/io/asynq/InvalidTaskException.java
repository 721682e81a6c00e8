package io.asynq;

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
	 * Returns what was wrong.
	 * @return the name of the option, or {@code type} or {@code payload}
	 */
	public String option() {
		return this.option;
	}

	/**
	 * Refuses text that is blank or that UTF-8 cannot hold (asynq C09, D02, D03, D11).
	 * @param option the option's name
	 * @param value its value
	 * @return the value, unchanged
	 */
	public static String requireText(String option, String value) {
		if (Names.isBlank(value)) {
			throw new InvalidTaskException(option,
					"Option '" + option + "' must contain one or more characters that are not blank");
		}
		return requireUtf8(option, value);
	}

	/**
	 * Refuses text that UTF-8 cannot hold: it would be stored as another (asynq D13).
	 * @param option the option's name
	 * @param value its value
	 * @return the value, unchanged
	 */
	public static String requireUtf8(String option, String value) {
		if (value == null || !Names.isUtf8(value)) {
			throw new InvalidTaskException(option, "Option '" + option + "' "
					+ ((value != null) ? "holds half a surrogate pair, which UTF-8 cannot carry" : "must not be null"));
		}
		return value;
	}

}
