package io.asynq.broker;

/**
 * A stream of messages that occupies one connection and the thread that listens.
 */
public interface Subscription extends AutoCloseable {

	/**
	 * Listens until {@link #close()} is called, which makes it return, or the connection
	 * breaks, which makes it throw. Called at most once.
	 * @throws io.asynq.BrokerException if Redis cannot be reached or the connection
	 * breaks
	 */
	void listen();

	/**
	 * Ends {@link #listen()}, now or as soon as it is called. May be called from any
	 * thread, any number of times; does not throw.
	 */
	@Override
	void close();

}
