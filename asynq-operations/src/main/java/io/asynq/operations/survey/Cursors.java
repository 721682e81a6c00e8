package io.asynq.operations.survey;

import io.asynq.AsynqException;
import org.jspecify.annotations.Nullable;

final class Cursors {

	private Cursors() {
	}

	static long position(@Nullable String cursor) {
		if (cursor == null) {
			return 0;
		}
		if (!cursor.matches("\\d{1,12}")) {
			throw new AsynqException(
					"Parameter 'cursor' must be the 'next' of an earlier answer, but is '" + cursor + "'");
		}
		return Long.parseLong(cursor);
	}

}
