package io.asynq.reliability.baddata;

import java.util.Random;

/**
 * One kind of inconsistent data.
 */
interface Corruption {

	/** The task type that the server of a run handles. */
	String HANDLED_TYPE = "healthy";

	/**
	 * Returns the name in findings and in the table: lower-case words joined by hyphens.
	 */
	String name();

	/**
	 * Adds one to a queue.
	 * @param queue the queue
	 * @param id an unused id; may be replaced
	 * @param random decides about the rest
	 * @return the expected fate
	 */
	Planted plant(RawQueue queue, String id, Random random);

	/**
	 * Returns the largest number of this kind in a run.
	 * @param corruptions the number of all
	 * @return no limit unless one of them costs much
	 */
	default int most(int corruptions) {
		return corruptions;
	}

}
