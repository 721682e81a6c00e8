package io.asynq.benchmarks.peer;

import java.util.List;

/**
 * Enqueues in the mode that it was opened for.
 */
public interface Producer extends AutoCloseable {

	/**
	 * Enqueues one task.
	 * @param payload its payload
	 * @throws Exception if it was not accepted
	 */
	void one(String payload) throws Exception;

	/**
	 * Enqueues many at once.
	 * @param payloads their payloads
	 * @throws Exception if one was not accepted
	 */
	default void many(List<String> payloads) throws Exception {
		throw new UnsupportedOperationException("This peer cannot enqueue many at once");
	}

	@Override
	default void close() throws Exception {
	}

}
