package io.asynq.server.state;

import java.util.concurrent.atomic.AtomicReference;

import io.asynq.server.ServerState;

/**
 * The state of the server, shared by its components.
 */
public final class ServerStatus {

	private final AtomicReference<ServerState> state = new AtomicReference<>(ServerState.NEW);

	public ServerState get() {
		return this.state.get();
	}

	public void set(ServerState next) {
		this.state.set(next);
	}

	/**
	 * Becomes quiet.
	 * @return whether it was active
	 */
	public boolean quiet() {
		return this.state.compareAndSet(ServerState.ACTIVE, ServerState.STOPPED);
	}

}
