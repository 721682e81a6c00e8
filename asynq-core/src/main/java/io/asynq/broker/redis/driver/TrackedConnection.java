package io.asynq.broker.redis.driver;

import java.util.concurrent.Future;

import org.springframework.data.redis.connection.RedisConnection;

/**
 * A connection of its own over which Redis reports the next change of each key that was
 * read over it.
 */
public interface TrackedConnection extends AutoCloseable {

	/** Whoever uses it holds its monitor. */
	RedisConnection connection();

	/**
	 * Also shows that reports still arrive; a cluster's node answers with
	 * {@code CLUSTER NODES}.
	 */
	Future<String> ping();

	@Override
	void close();

}
