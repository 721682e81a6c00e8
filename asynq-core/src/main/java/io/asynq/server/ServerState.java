package io.asynq.server;

import java.util.Locale;

/**
 * What a server is doing (asynq G01). Unlike Go's, ours becomes {@link #ACTIVE} again
 * when it is started again.
 */
public enum ServerState {

	/** Not started yet. */
	NEW,

	/** Takes tasks. */
	ACTIVE,

	/** Quiet: works on what it has and takes nothing more; or has no handler. */
	STOPPED,

	/** Shut down, or shutting down. */
	CLOSED;

	private final String wireName = name().toLowerCase(Locale.ROOT);

	/**
	 * Returns the name as it stands in Redis.
	 * @return the lower-case name
	 */
	public String wireName() {
		return this.wireName;
	}

}
