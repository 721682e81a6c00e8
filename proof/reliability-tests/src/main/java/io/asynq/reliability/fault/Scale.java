package io.asynq.reliability.fault;

/** How long a run may take. */
public enum Scale {

	/** Every fault briefly, with short leases; five minutes in all. */
	QUICK,

	/** Every fault with asynq's default settings; half an hour in all. */
	FULL

}
