package io.asynq.benchmarks.peer;

import java.util.function.IntConsumer;

/**
 * A task queue under comparison.
 */
public interface Peer {

	/**
	 * Returns its name and version, without blanks.
	 */
	String version();

	/**
	 * Starts a worker that passes the number in each payload to a handler.
	 * @param settings of {@code serve}
	 * @param handler the handler; an exception is a failed attempt
	 * @throws Exception if it cannot start
	 */
	void serve(Settings settings, IntConsumer handler) throws Exception;

	/**
	 * Stops the worker as its users would.
	 * @throws Exception if it cannot stop
	 */
	void stop() throws Exception;

	/**
	 * Opens a producer.
	 * @param settings of {@code enqueue} or {@code pace}
	 * @return the producer; safe for concurrent use
	 * @throws Exception if it cannot
	 */
	Producer producer(Settings settings) throws Exception;

}
