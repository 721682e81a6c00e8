package io.asynq.cli.dash;

import org.jspecify.annotations.Nullable;

/**
 * Which part of a list is looked at.
 *
 * @param number counted from 1
 * @param rows how many entries
 * @param cursor where the groups of this part begin
 */
record Part(int number, int rows, @Nullable String cursor) {

	static Part first(int rows) {
		return new Part(1, rows, null);
	}

}
