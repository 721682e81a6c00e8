package io.asynq.server;

import io.asynq.AsynqException;

/**
 * Why an attempt ends that a shutdown did not want to wait for.
 */
final class ServerStoppedException extends AsynqException {

	ServerStoppedException() {
		super("the server was shut down; the task went back to the front of its queue");
	}

}
