package io.asynq.benchmarks.measure;

/** How long to measure. */
public record Plan(int rounds, double warmUpSeconds, int warmUpTasks, double seconds, boolean full) {

	public static Plan quick() {
		return new Plan(3, 0.5, 0, 0.6, false);
	}

	public static Plan targets() {
		return new Plan(5, 4, 1_000_000, 2.2, false);
	}

	public static Plan everything() {
		return new Plan(5, 5, 1_000_000, 2.5, true);
	}

	public static Plan pair() {
		return new Plan(3, 2.5, 300_000, 1, false);
	}

	public boolean isQuick() {
		return this.rounds < 5;
	}

}
