package io.asynq.server;

import java.util.Map;
import java.util.SortedSet;

/**
 * The server of this application as a whole. Its components are lifecycle beans of their
 * own, which the application context starts and stops. Safe for concurrent use.
 */
public interface AsynqServer {

	/**
	 * Returns the state of the server.
	 * @return the state
	 */
	ServerState state();

	/**
	 * Starts all components in order. Redis need not be available yet: the components
	 * wait for it. Does nothing when running. An application context does this by itself.
	 */
	void start();

	/**
	 * Stops taking tasks, as Go's {@code Server.Stop} (docs/compatibility.md, G04).
	 * Running tasks continue and the server stays registered. A server that waits for its
	 * first handler stops waiting. Does nothing before the start or after a stop.
	 */
	void quiet();

	/**
	 * Takes tasks again after {@link #quiet()}, or waits again for a handler. Does
	 * nothing unless the server is quiet.
	 */
	void resume();

	/**
	 * Stops all components in order, as Go's {@code Server.Shutdown}
	 * (docs/compatibility.md, G05): takes no more tasks, waits for running ones up to the
	 * shutdown timeout and puts the rest back to the front of their queues. An
	 * application context does this when it closes.
	 */
	void stop();

	/**
	 * Pings Redis.
	 * @throws io.asynq.BrokerException if it does not answer
	 */
	void ping();

	/**
	 * Returns the server's own counters.
	 * @return a snapshot
	 */
	ServerStatistics statistics();

	/**
	 * Returns whether the server is well. Does not ask Redis.
	 * @return heartbeat, loops and last error at this moment
	 */
	ServerHealth health();

	/**
	 * Returns the masters of a cluster that do not answer. The queues on the others are
	 * processed meanwhile.
	 * @return their queues by their address, {@code host:port}; empty for a single Redis
	 */
	Map<String, SortedSet<String>> nodesAway();

}
