package io.asynq.reliability.load;

import java.util.List;

/**
 * The task that a group becomes, as JSON in the payload; aggregators in both languages
 * make the same.
 *
 * @param members the ids of the aggregated tasks
 * @param millis how long to work, ms
 */
public record Digest(List<String> members, int millis) {

	/** The type of these tasks. */
	public static final String TYPE = "digest";

	private static final int MILLIS_EACH = 20;

	private static final int LONGEST = 2000;

	/**
	 * Creates one.
	 * @param members the ids of the aggregated tasks
	 * @return a digest that runs the longer the more tasks it has
	 */
	public static Digest of(List<String> members) {
		return new Digest(members, Math.min(LONGEST, MILLIS_EACH * members.size()));
	}

}
