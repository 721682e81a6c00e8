package io.asynq;

/**
 * What becomes of a task that is cancelled.
 */
public enum CancelMode {

	/** Its attempt fails, and it is retried, as in Go. */
	RETRY,

	/** It is moved to the archive, and does not run again unless somebody runs it. */
	ARCHIVE,

	/** It is deleted, and its unique lock released. */
	DELETE

}
