package io.asynq.test;

/**
 * The two tiers of tests: {@code mvn verify}, and {@code mvn verify -Pfull}.
 */
public final class Tier {

	private static final boolean FULL = Boolean.getBoolean("asynq.test.full");

	private Tier() {
	}

	public static <T> T choose(T plain, T full) {
		return FULL ? full : plain;
	}

}
