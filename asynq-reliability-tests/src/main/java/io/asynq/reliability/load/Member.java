package io.asynq.reliability.load;

/**
 * The payload of a task that joins a group and never runs by itself. Its id is in a
 * header, because duplicates have equal payloads and aggregators are not told ids.
 */
public record Member(int number) {

	/** The type of these tasks. */
	public static final String TYPE = "member";

	/** The header that holds the task's id. */
	public static final String ID = "member-id";

}
