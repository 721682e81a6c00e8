package io.asynq.server;

import java.util.Map;
import java.util.SortedSet;

/**
 * The server of this application as a whole. Its components are lifecycle beans that the
 * application context starts and stops. Safe for concurrent use.
 */
public interface AsynqServer {

	/** Returns the state of the server. */
	ServerState state();

	/**
	 * Starts all components in order, as an application context does by itself. They wait
	 * for Redis if it is not available yet. Does nothing when running.
	 */
	void start();

	/**
	 * Stops taking tasks, as Go's {@code Server.Stop} (docs/compatibility.md, G04).
	 * Running tasks continue and the server stays registered. A server that waits for its
	 * first handler stops waiting. Does nothing before the start or after a stop.
	 */
	void quiet();

	/** Undoes {@link #quiet()}; does nothing unless the server is quiet. */
	void resume();

	/**
	 * Stops all components in order, as Go's {@code Server.Shutdown}
	 * (docs/compatibility.md, G05) and as an application context does when it closes:
	 * takes no more tasks, waits for running ones up to the shutdown timeout and puts the
	 * rest back to the front of their queues.
	 */
	void stop();

	/**
	 * Pings Redis.
	 * @throws io.asynq.BrokerException if it does not answer
	 */
	void ping();

	/** Returns a snapshot of the server's own counters. */
	ServerStatistics statistics();

	/** Returns heartbeat, loops and last error at this moment, without asking Redis. */
	ServerHealth health();

	/**
	 * Returns the queues of the masters of a cluster that do not answer, by address
	 * ({@code host:port}); empty for a single Redis. The queues on other masters are
	 * processed meanwhile.
	 */
	Map<String, SortedSet<String>> nodesAway();

}
