package io.asynq.broker.redis.driver;

import java.util.concurrent.Future;

import org.springframework.data.redis.connection.RedisConnection;

/**
 * A connection of its own over which Redis reports the next change of each key that was
 * read over it.
 */
public interface TrackedConnection extends AutoCloseable {

	/** Returns what to read over; whoever uses it holds its monitor. */
	RedisConnection connection();

	/**
	 * Asks whether Redis still answers and its reports still arrive.
	 * @return the answer: of a node of a cluster, that to {@code CLUSTER NODES}
	 */
	Future<String> ping();

	/** Ends what waits for an answer. */
	@Override
	void close();

}
