package io.asynq.server.lane;

import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

import io.asynq.lifecycle.LoopErrorLog;

/**
 * Lanes given by a test, and their threads.
 */
public final class TestLanes implements AutoCloseable {

	final Map<String, String> masters = new HashMap<>();

	private final ExecutorService threads = Executors.newCachedThreadPool();

	private final Lanes lanes;

	private TestLanes(Collection<String> queues, boolean several) {
		this.lanes = new Lanes(queues, () -> several, (asked) -> Map.copyOf(this.masters), this.threads,
				new LoopErrorLog());
	}

	public static TestLanes single() {
		return new TestLanes(List.of(), false);
	}

	/**
	 * Makes lanes.
	 * @param masters the master of each queue
	 * @return the lanes, to be closed
	 */
	public static TestLanes of(Map<String, String> masters) {
		TestLanes lanes = new TestLanes(masters.keySet(), true);
		lanes.masters.putAll(masters);
		return lanes;
	}

	public Lanes lanes() {
		return this.lanes;
	}

	@Override
	public void close() {
		this.threads.shutdownNow();
	}

}
