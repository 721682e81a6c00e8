package io.asynq.broker.redis.driver;

import java.util.concurrent.Future;

import org.springframework.data.redis.connection.RedisConnection;

/**
 * A connection of its own over which Redis reports the next change of each key that was
 * read over it.
 */
public interface TrackedConnection extends AutoCloseable {

	/** Returns what to read over; used by one thread at a time. */
	RedisConnection connection();

	/**
	 * Asks whether Redis still answers.
	 * @return done when it has
	 */
	Future<?> ping();

	/** Ends what waits for an answer. */
	@Override
	void close();

}
