package io.asynq.server;

import java.util.Locale;

/**
 * The state of a server, named as in Go (docs/compatibility.md, G01); unlike Go's, a
 * server of ours becomes {@link #ACTIVE} again when it is started again.
 */
public enum ServerState {

	/** Not started yet. */
	NEW,

	/** Takes tasks. */
	ACTIVE,

	/** Quiet, or without a handler: runs the tasks it has and takes no more. */
	STOPPED,

	/** Shut down or shutting down. */
	CLOSED;

	private final String wireName = name().toLowerCase(Locale.ROOT);

	/** Returns the lower-case name that is stored in Redis. */
	public String wireName() {
		return this.wireName;
	}

}
