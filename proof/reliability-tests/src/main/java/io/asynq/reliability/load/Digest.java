package io.asynq.reliability.load;

import java.util.List;

/** The task that a group becomes; aggregators in both languages make the same. */
public record Digest(List<String> members, int millis) {

	/** The type of these tasks. */
	public static final String TYPE = "digest";

	private static final int MILLIS_EACH = 20;

	private static final int LONGEST = 2000;

	public static Digest of(List<String> members) {
		return new Digest(members, Math.min(LONGEST, MILLIS_EACH * members.size()));
	}

}
