package io.asynq.internal.redis.driver;

import java.util.concurrent.Future;

import org.springframework.data.redis.connection.RedisConnection;

/** Redis reports over it the next change of each key that was read over it. */
public interface TrackedConnection extends AutoCloseable {

	/** Whoever uses it holds its monitor. */
	RedisConnection connection();

	/** Shows that reports arrive; a cluster's node answers {@code CLUSTER NODES}. */
	Future<String> ping();

	@Override
	void close();

}
