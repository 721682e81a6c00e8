package io.asynq.internal.worker;

import io.asynq.AsynqException;

/**
 * Ends an attempt whose handler, error handler or policy has stopped its own server.
 */
public final class OwnServerStoppedException extends AsynqException {

	public OwnServerStoppedException() {
		super("asynq: the handler, its error handler or a policy has stopped its own server: it called System.exit, or"
				+ " stopped the application");
	}

}
