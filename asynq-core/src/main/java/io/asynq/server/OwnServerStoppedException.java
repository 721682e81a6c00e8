package io.asynq.server;

import io.asynq.AsynqException;

/**
 * Why an attempt ends whose handler, or who was asked about its outcome, has stopped the
 * server it runs in.
 */
final class OwnServerStoppedException extends AsynqException {

	OwnServerStoppedException() {
		super("asynq: the handler, its error handler or a policy has stopped its own server: it called System.exit, or"
				+ " stopped the application");
	}

}
