package io.asynq.reliability.load;

/** Its id is in a header: duplicates have equal payloads, aggregators see no ids. */
public record Member(int number) {

	/** The type of these tasks. */
	public static final String TYPE = "member";

	/** The header that holds the task's id. */
	public static final String ID = "member-id";

}
