package io.asynq.benchmarks.peer;

import java.util.function.IntConsumer;

/** A task queue under comparison. */
public interface Peer {

	String version();

	void serve(Settings settings, IntConsumer handler) throws Exception;

	void stop() throws Exception;

	Producer producer(Settings settings) throws Exception;

}
