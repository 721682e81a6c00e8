package io.asynq.server;

import io.asynq.AsynqException;

/**
 * Why an attempt ends whose handler has stopped the server it runs in.
 */
final class OwnServerStoppedException extends AsynqException {

	OwnServerStoppedException() {
		super("asynq: the handler has stopped its own server: it called System.exit, or stopped the application");
	}

}
