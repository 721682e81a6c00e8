package io.asynq.cli.dash;

import org.jspecify.annotations.Nullable;

record Part(int number, int rows, @Nullable String cursor) {

	static Part first(int rows) {
		return new Part(1, rows, null);
	}

}
