package io.asynq.broker;

/**
 * What became of one task that was to be stored.
 */
public enum EnqueueStatus {

	/** It is stored. */
	ENQUEUED,

	/** Another task holds its unique lock; nothing was written. */
	DUPLICATE,

	/** Its queue has a task of this id; nothing was written. */
	ID_CONFLICT,

	/** A key of its queue has the wrong type; nothing was written. */
	BROKEN

}
