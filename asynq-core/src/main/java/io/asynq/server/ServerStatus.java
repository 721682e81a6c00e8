package io.asynq.server;

import java.util.concurrent.atomic.AtomicReference;

/**
 * What the server is doing, shared by its parts.
 */
final class ServerStatus {

	private final AtomicReference<ServerState> state = new AtomicReference<>(ServerState.NEW);

	ServerState get() {
		return this.state.get();
	}

	void set(ServerState next) {
		this.state.set(next);
	}

	/**
	 * Becomes quiet.
	 * @return whether it was active
	 */
	boolean quiet() {
		return this.state.compareAndSet(ServerState.ACTIVE, ServerState.STOPPED);
	}

}
