package io.asynq.internal.lane;

import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

import io.asynq.internal.lifecycle.LoopErrorLog;

import static org.awaitility.Awaitility.await;

/**
 * Lanes given by a test, and their threads.
 */
public final class TestLanes implements AutoCloseable {

	/** Long enough for other lanes on any machine, and short enough to wait for one. */
	public static final Duration HANGING = Duration.ofSeconds(3);

	private static final Duration LONG = Duration.ofMinutes(1);

	final Map<String, String> masters = new HashMap<>();

	private final ExecutorService threads = Executors.newCachedThreadPool();

	private final Lanes lanes;

	private TestLanes(Collection<String> queues, boolean several, Duration patience) {
		this.lanes = new Lanes(queues, () -> several, (asked) -> Map.copyOf(this.masters), this.threads,
				new LoopErrorLog(), patience);
	}

	public static TestLanes single() {
		return new TestLanes(List.of(), false, LONG);
	}

	/**
	 * Makes lanes that are awaited also on a machine that stands still for a while.
	 * @param masters the master of each queue
	 * @return the lanes, to be closed
	 */
	public static TestLanes of(Map<String, String> masters) {
		return of(masters, LONG);
	}

	/**
	 * Makes lanes of which one is to hang.
	 * @param masters the master of each queue
	 * @param patience how long they are awaited
	 * @return the lanes, to be closed
	 */
	public static TestLanes of(Map<String, String> masters, Duration patience) {
		TestLanes lanes = new TestLanes(masters.keySet(), true, patience);
		lanes.masters.putAll(masters);
		// Otherwise the first who asks waits for a second only
		await().pollDelay(Duration.ZERO)
			.until(() -> masters.entrySet()
				.stream()
				.allMatch((entry) -> entry.getValue().equals(lanes.lanes.of(entry.getKey()))));
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
