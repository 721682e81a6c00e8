package io.asynq.internal.worker;

import java.util.List;
import java.util.Map;

import io.asynq.server.QueueWeights;

/**
 * Tasks that are held, for tests in other packages.
 */
public final class TestHeldTasks {

	private TestHeldTasks() {
	}

	public static HeldTasks of(List<LeasedTask> tasks) {
		HeldTasks held = new HeldTasks(new QueueWeights(Map.of(), false), () -> {
		});
		held.add(tasks);
		return held;
	}

}
