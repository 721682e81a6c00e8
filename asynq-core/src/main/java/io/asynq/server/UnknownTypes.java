package io.asynq.server;

/**
 * What becomes of a task for whose type a server has no handler.
 */
public enum UnknownTypes {

	/** It waits until a server has one, and uses up no retry. */
	WAIT,

	/** It fails and is retried, as in Go. */
	RETRY,

	/** It is archived at once. */
	ARCHIVE

}
