package io.asynq.operations;

import java.util.List;

import org.jspecify.annotations.Nullable;

/**
 * @param remaining how many tasks are left; to go on, repeat the call with this as
 * {@code expectedCount}
 * @param next where to look for more tasks that meet the conditions, {@code null} if all
 * were looked at, or if there are no conditions
 */
public record ActionReport(long done, List<Failure> failed, long remaining, @Nullable String next) {

	public ActionReport(long done, List<Failure> failed, long remaining) {
		this(done, failed, remaining, null);
	}

	public record Failure(String id, String error) {
	}

}
