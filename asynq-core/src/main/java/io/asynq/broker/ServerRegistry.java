package io.asynq.broker;

import java.time.Duration;
import java.util.Set;

/**
 * Where servers tell that they live. Safe for concurrent use.
 */
public interface ServerRegistry {

	/**
	 * Writes or renews a server's entry.
	 * @param server the server
	 * @param ttl for how long it counts as alive
	 * @throws io.asynq.BrokerException if Redis cannot be reached or fails
	 */
	void write(ServerSnapshot server, Duration ttl);

	/**
	 * Lists what live servers, also Go's, say they work on. A server counts as alive as
	 * long as Redis keeps its entry, whatever its clock says.
	 * @return the ids of their tasks
	 * @throws io.asynq.BrokerException if Redis cannot be reached or fails
	 */
	Set<String> listedTasks();

	/**
	 * Removes a server's entry.
	 * @param server the server
	 * @throws io.asynq.BrokerException if Redis cannot be reached or fails
	 */
	void clear(ServerIdentity server);

}
