package io.asynq.broker;

/**
 * What people do with tasks by hand.
 */
public enum TaskMove {

	/** To pending, at the back of its queue. */
	RUN,

	/** To the archive, which keeps no more than it does otherwise. */
	ARCHIVE,

	/** Away, with its unique lock. */
	DELETE

}
