package io.asynq.internal.redis;

/** Takes one connection and the listening thread. */
public interface Subscription extends AutoCloseable {

	/** Returns once closed, throws when the connection breaks; called at most once. */
	void listen();

	/**
	 * For any thread at any time: a {@link #listen()} that comes later returns at once.
	 */
	@Override
	void close();

}
