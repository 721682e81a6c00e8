package io.asynq.benchmarks.peer;

import java.util.List;

/** Enqueues in the mode that it was opened for. */
public interface Producer extends AutoCloseable {

	void one(String payload) throws Exception;

	default void many(List<String> payloads) throws Exception {
		throw new UnsupportedOperationException("This peer cannot enqueue many at once");
	}

	@Override
	default void close() throws Exception {
	}

}
