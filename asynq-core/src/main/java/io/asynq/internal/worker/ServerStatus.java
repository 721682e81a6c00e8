package io.asynq.internal.worker;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicReference;

import io.asynq.server.ServerState;
import org.jspecify.annotations.Nullable;

public final class ServerStatus {

	private final AtomicReference<ServerState> state = new AtomicReference<>(ServerState.NEW);

	private final Heartbeat heartbeat = new Heartbeat(System::nanoTime);

	private volatile int servers;

	/** As of the last heartbeat; 0 if unknown, or if a server forbids fetching ahead. */
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

	public boolean quiet() {
		return this.state.compareAndSet(ServerState.ACTIVE, ServerState.STOPPED);
	}

	public @Nullable Duration sinceHeartbeat() {
		ServerState present = get();
		boolean running = present == ServerState.ACTIVE || present == ServerState.STOPPED;
		return running ? this.heartbeat.age() : null;
	}

}
