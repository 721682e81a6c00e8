package io.asynq.inspect;

import java.time.Instant;
import java.util.List;
import java.util.Map;

/**
 * A server, as it reports itself.
 *
 * @param id its id, new at every start
 * @param concurrency how many tasks it processes at most at the same time
 * @param queues weight by queue
 * @param strictPriority whether it takes tasks from a queue only when all queues with a
 * greater weight are empty
 * @param status {@code active}, {@code stopped} or {@code closed}
 * @param workers the tasks that it is processing
 * @param held how many tasks are in its prefetch buffer, by queue; queues without such
 * tasks are absent, and Go's servers have none
 */
public record ServerInfo(String id, String host, int pid, int concurrency, Map<String, Integer> queues,
		boolean strictPriority, String status, Instant startedAt, List<WorkerInfo> workers, Map<String, Integer> held) {

	/** Returns whether it takes tasks: one that is quiet or stops does not. */
	public boolean takesTasks() {
		return this.status.equals("active");
	}

	/** Returns the number of tasks in its prefetch buffer. */
	public int heldTasks() {
		return this.held.values().stream().mapToInt(Integer::intValue).sum();
	}

}
