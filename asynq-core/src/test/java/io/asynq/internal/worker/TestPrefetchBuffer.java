package io.asynq.internal.worker;

import java.util.List;
import java.util.Map;

import io.asynq.server.QueueWeights;

/**
 * Tasks that are held, for tests in other packages.
 */
public final class TestPrefetchBuffer {

	private TestPrefetchBuffer() {
	}

	public static PrefetchBuffer of(List<LeasedTask> tasks) {
		PrefetchBuffer held = new PrefetchBuffer(new QueueWeights(Map.of(), false), () -> {
		});
		held.add(tasks);
		return held;
	}

}
