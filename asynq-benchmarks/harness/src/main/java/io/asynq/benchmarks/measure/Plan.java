package io.asynq.benchmarks.measure;

/**
 * How long to measure.
 *
 * @param rounds counted rounds
 * @param warmUps rounds before, for each contender
 * @param seconds about how long a round lasts
 * @param full whether to measure what has no target, too
 */
public record Plan(int rounds, int warmUps, double seconds, boolean full) {

	public static Plan quick() {
		return new Plan(3, 1, 0.6, false);
	}

	public static Plan targets() {
		return new Plan(5, 1, 2.2, false);
	}

	public static Plan everything() {
		return new Plan(5, 1, 2.5, true);
	}

	public boolean isQuick() {
		return this.rounds < 5;
	}

}
