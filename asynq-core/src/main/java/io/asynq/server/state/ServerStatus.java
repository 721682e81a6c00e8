package io.asynq.server.state;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicReference;

import io.asynq.server.ServerState;
import org.jspecify.annotations.Nullable;

/**
 * The state of the server, shared by its components.
 */
public final class ServerStatus {

	private final AtomicReference<ServerState> state = new AtomicReference<>(ServerState.NEW);

	private final Heartbeat heartbeat = new Heartbeat(System::nanoTime);

	private volatile int servers;

	/**
	 * Returns how many servers there are, as the last heartbeat has found.
	 * @return the number, 0 if unknown or if nothing may be fetched ahead beside one of
	 * them
	 */
	public int servers() {
		return this.servers;
	}

	public void servers(int count) {
		this.servers = count;
	}

	public ServerState get() {
		return this.state.get();
	}

	public Heartbeat heartbeat() {
		return this.heartbeat;
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

	/**
	 * Returns the age of the last heartbeat.
	 * @return the age, {@code null} unless the server is running, quiet or not
	 */
	public @Nullable Duration sinceHeartbeat() {
		ServerState present = get();
		boolean running = present == ServerState.ACTIVE || present == ServerState.STOPPED;
		return running ? this.heartbeat.age() : null;
	}

}
