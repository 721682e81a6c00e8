package io.asynq.inspect;

import io.asynq.AsynqException;
import io.asynq.gotext.GoText;
import org.jspecify.annotations.Nullable;

final class Arguments {

	private Arguments() {
	}

	static void requireText(String name, String value) {
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

	static void requireValue(String name, Object value) {
		if (value == null) {
			throw new AsynqException("Argument '" + name + "' must not be null");
		}
	}

}
