package io.asynq.reliability.baddata;

import java.util.Random;

/** One kind of inconsistent data. */
interface Corruption {

	/** The task type that the server of a run handles. */
	String HANDLED_TYPE = "healthy";

	String name();

	Planted plant(RawQueue queue, String id, Random random);

	default int most(int corruptions) {
		return corruptions;
	}

}
