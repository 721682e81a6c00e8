package io.asynq.broker;

/**
 * A stream of messages that takes one connection and the listening thread.
 */
public interface Subscription extends AutoCloseable {

	/**
	 * Listens until {@link #close()} is called, or throws when the connection breaks.
	 * Called at most once.
	 * @throws io.asynq.BrokerException if Redis cannot be reached or the connection
	 * breaks
	 */
	void listen();

	/**
	 * Ends {@link #listen()}, now or as soon as it is called. May be called from any
	 * thread, any number of times. Does not throw.
	 */
	@Override
	void close();

}
