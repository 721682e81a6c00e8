package io.asynq.operate;

import java.util.List;

/**
 * The result of an action on several tasks.
 *
 * @param done how many tasks it was done with
 * @param failed tasks it was not done with
 * @param remaining how many tasks are left; to go on, repeat the call with this as
 * {@code expectedCount}
 */
public record ActionReport(long done, List<Failure> failed, long remaining) {

	/**
	 * A task that was left as it is.
	 *
	 * @param id its id
	 * @param error why
	 */
	public record Failure(String id, String error) {
	}

}
