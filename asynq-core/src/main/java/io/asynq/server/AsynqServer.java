package io.asynq.server;

import java.util.Map;
import java.util.SortedSet;

/**
 * The server of this application as a whole (asynq G01–G08). Its parts are lifecycle
 * beans of their own, which the application context starts and stops. Safe for concurrent
 * use.
 */
public interface AsynqServer {

	/**
	 * Returns what the server is doing.
	 * @return the state
	 */
	ServerState state();

	/**
	 * Starts all parts in order; needs no Redis yet: the parts wait for it. Does nothing
	 * when running. In an application context that is done already.
	 */
	void start();

	/**
	 * Stops taking tasks; what is running goes on, and the server stays registered (G04).
	 * A server that waits for its first handler stops waiting. Does nothing before the
	 * start and after a stop.
	 */
	void quiet();

	/**
	 * Stops all parts in order: takes nothing more, waits for running tasks up to the
	 * shutdown timeout and puts the rest back to the front of its queue (G05). In an
	 * application context that is done when it closes.
	 */
	void stop();

	/**
	 * Asks Redis for a sign of life (G06).
	 * @throws io.asynq.BrokerException if there is none
	 */
	void ping();

	/**
	 * Returns the server's own counters.
	 * @return a snapshot
	 */
	ServerStatistics statistics();

	/**
	 * Returns the masters of a cluster that do not answer; the queues on all others are
	 * worked on.
	 * @return their queues by their address, {@code host:port}; empty for a single Redis
	 */
	Map<String, SortedSet<String>> nodesAway();

}
