package io.asynq.broker;

/**
 * A stream of messages that takes one connection and the listening thread.
 */
public interface Subscription extends AutoCloseable {

	/**
	 * Returns once closed, throws when the connection breaks, and is called at most once.
	 */
	void listen();

	/**
	 * Callable from any thread at any time: a {@link #listen()} that comes later returns
	 * at once.
	 */
	@Override
	void close();

}
