package io.asynq.test;

/**
 * The two tiers of tests: {@code mvn verify}, and {@code mvn verify -Pfull}, which may
 * take its time.
 */
public final class Tier {

	private static final boolean FULL = Boolean.getBoolean("asynq.test.full");

	private Tier() {
	}

	/**
	 * Chooses by the tier that runs.
	 * @param plain the value for {@code mvn verify}
	 * @param full the value for {@code -Pfull}
	 */
	public static <T> T choose(T plain, T full) {
		return FULL ? full : plain;
	}

}
