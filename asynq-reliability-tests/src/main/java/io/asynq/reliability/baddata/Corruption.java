package io.asynq.reliability.baddata;

import java.util.Random;

/**
 * One kind of data that makes no sense.
 */
interface Corruption {

	/** The type of task that the server of a run handles. */
	String HANDLED_TYPE = "healthy";

	/**
	 * Returns the name that findings and the table use.
	 * @return lower-case words joined by hyphens
	 */
	String name();

	/**
	 * Puts one into a queue.
	 * @param queue the queue
	 * @param id an id that nobody has; may be replaced
	 * @param random decides about the rest
	 * @return what must become of it
	 */
	Planted plant(RawQueue queue, String id, Random random);

	/**
	 * Returns how many of a run are of this kind at most.
	 * @param corruptions how many the run has
	 * @return no limit unless one of them costs much
	 */
	default int most(int corruptions) {
		return corruptions;
	}

}
