package io.asynq.internal.inspect;

import io.asynq.AsynqException;
import io.asynq.internal.text.GoText;
import org.jspecify.annotations.Nullable;

public final class Arguments {

	private Arguments() {
	}

	public static void requireText(String name, String value) {
		if (GoText.isBlank(value)) {
			throw new AsynqException("Argument '" + name + "' must not be blank, but is '" + value + "'");
		}
	}

	/** Redis refuses a cursor that is no number. */
	static void requireCursor(@Nullable String cursor) {
		if (cursor != null && !cursor.matches("\\d{1,19}")) {
			throw new AsynqException(
					"Argument 'cursor' must be the 'next' of an earlier answer, but is '" + cursor + "'");
		}
	}

	public static void requireValue(String name, Object value) {
		if (value == null) {
			throw new AsynqException("Argument '" + name + "' must not be null");
		}
	}

}
