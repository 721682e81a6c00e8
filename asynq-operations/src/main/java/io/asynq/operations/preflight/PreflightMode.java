package io.asynq.operations.preflight;

public enum PreflightMode {

	/** They stop the start, and so does a Redis that cannot be checked. */
	FAIL,

	/** Each one is a warning; Redis is checked beside the start, once it answers. */
	WARN,

	OFF

}
