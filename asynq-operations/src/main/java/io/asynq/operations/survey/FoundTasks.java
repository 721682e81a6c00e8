package io.asynq.operations.survey;

import java.util.List;

import org.jspecify.annotations.Nullable;

/**
 * @param scanned at how many tasks was looked since the beginning
 * @param total how many there were in all, at the moment of this call
 */
public record FoundTasks<T>(List<T> entries, @Nullable String next, long scanned, long total) {

	public boolean complete() {
		return this.next == null;
	}

}
