package io.asynq.operate;

import java.util.List;

import io.asynq.AsynqException;
import io.asynq.info.ServerInfo;
import io.asynq.inspect.AsynqInspector;
import io.asynq.server.AsynqServer;
import io.asynq.server.ServerHealth;
import org.jspecify.annotations.Nullable;

/**
 * Looks at all servers and makes this application's one quiet. Safe for concurrent use.
 */
public final class ServerOperations {

	private final AsynqInspector inspector;

	private final @Nullable AsynqServer own;

	/**
	 * @param own this application's server, {@code null} if it has none
	 */
	public ServerOperations(AsynqInspector inspector, @Nullable AsynqServer own) {
		this.inspector = inspector;
		this.own = own;
	}

	/** Returns live servers, Go's included, and what they are working on. */
	public List<ServerInfo> servers() {
		return this.inspector.servers();
	}

	/**
	 * Has this application's server take no more tasks.
	 * @return its state afterwards
	 */
	public OwnServer quiet() {
		own().quiet();
		return look();
	}

	/**
	 * Has this application's server take tasks again.
	 * @return its state afterwards
	 */
	public OwnServer resume() {
		own().resume();
		return look();
	}

	/** Returns the state of this application's server. */
	public OwnServer look() {
		AsynqServer server = own();
		return new OwnServer(server.state().wireName(), server.statistics().activeWorkers(), server.health());
	}

	private AsynqServer own() {
		if (this.own == null) {
			throw new AsynqException("This application has no server: asynq.server.enabled is false");
		}
		return this.own;
	}

	/**
	 * This application's server.
	 *
	 * @param state its state
	 * @param activeWorkers how many tasks are running
	 * @param health its heartbeat and its loops
	 */
	public record OwnServer(String state, int activeWorkers, ServerHealth health) {
	}

}
