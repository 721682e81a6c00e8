package io.asynq.broker;

import java.time.Duration;

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
	 * Removes a server's entry.
	 * @param server the server
	 * @throws io.asynq.BrokerException if Redis cannot be reached or fails
	 */
	void clear(ServerIdentity server);

}
