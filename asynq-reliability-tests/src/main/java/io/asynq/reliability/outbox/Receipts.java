package io.asynq.reliability.outbox;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

import io.asynq.annotation.TaskHandler;
import io.asynq.handler.TaskContext;
import io.asynq.test.ledger.TaskKey;

/** Handles the tasks and counts the runs of each. Safe for concurrent use. */
final class Receipts {

	private final Map<TaskKey, Integer> runs = new ConcurrentHashMap<>();

	@TaskHandler(Orders.TYPE)
	void handle(TaskContext context) {
		this.runs.merge(new TaskKey(context.queue(), context.taskId()), 1, Integer::sum);
	}

	boolean has(TaskKey task) {
		return this.runs.containsKey(task);
	}

	/** Returns the runs of each task so far. */
	Map<TaskKey, Integer> all() {
		return Map.copyOf(this.runs);
	}

}
