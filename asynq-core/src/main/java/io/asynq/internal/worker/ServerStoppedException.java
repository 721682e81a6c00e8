package io.asynq.internal.worker;

import io.asynq.AsynqException;

/**
 * Ends an attempt that a stop did not wait for.
 */
public final class ServerStoppedException extends AsynqException {

	public ServerStoppedException() {
		super("the server was shut down; the task went back to the front of its queue");
	}

}
