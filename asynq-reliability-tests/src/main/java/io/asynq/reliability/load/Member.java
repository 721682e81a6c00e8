package io.asynq.reliability.load;

/**
 * The payload of a task that joins a group and never runs by itself. Its id is in a
 * header, because payloads of duplicates are alike and aggregators are not told ids.
 *
 * @param number makes payloads differ, so that only those meant to be duplicates are
 */
public record Member(int number) {

	/** The type of these tasks. */
	public static final String TYPE = "member";

	/** The header that holds the task's id. */
	public static final String ID = "member-id";

}
