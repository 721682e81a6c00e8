package io.asynq.benchmarks.measure;

/** Something to measure. */
public interface Measure {

	/** Returns its name for {@code --only}, in lower case with hyphens. */
	String name();

	/**
	 * Returns whether it belongs to the target table; otherwise only {@code --full} runs
	 * it.
	 */
	default boolean hasTarget() {
		return true;
	}

	void run(Bench bench);

}
