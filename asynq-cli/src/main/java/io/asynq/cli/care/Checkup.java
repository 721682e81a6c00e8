package io.asynq.cli.care;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

import io.asynq.inspect.Inconsistency;
import io.asynq.inspect.Inconsistency.Kind;
import io.asynq.inspect.RepairReport;
import io.asynq.operations.RepairOperations;

/**
 * What was found in a queue.
 *
 * @param queue the queue
 * @param applied whether it was repaired
 * @param found how many inconsistencies of each kind were found, or repaired
 * @param left how many were not repaired
 * @param examples some of them
 * @param unhandled how many tasks wait by type, because no live server has a handler
 * @param limited how many tasks wait for limits, which is nothing to repair
 * @param held how many tasks servers have fetched ahead, which is nothing to repair
 */
record Checkup(String queue, boolean applied, Map<Kind, Long> found, long left, List<Inconsistency> examples,
		Map<String, Long> unhandled, long limited, long held) {

	private static final int EXAMPLES = 100;

	/**
	 * A repair can reveal another inconsistency, so that it begins again until nothing is
	 * left to do.
	 */
	private static final int ROUNDS = 20;

	static Checkup of(RepairOperations repairs, String queue, Set<Kind> kinds, boolean apply, Waiting waiting) {
		Map<Kind, Long> found = new EnumMap<>(Kind.class);
		List<Inconsistency> examples = new ArrayList<>();
		long left = 0;
		long before = -1;
		for (int round = 0; round < (apply ? ROUNDS : 1) && sum(found) > before; round++) {
			before = sum(found);
			left = walk(repairs, queue, kinds, apply, found, examples);
		}
		return new Checkup(queue, apply, found, left, examples, waiting.unhandled(), waiting.limited(), waiting.held());
	}

	/** Whether nothing is left to do. */
	boolean isWell() {
		return isConsistent() && this.unhandled.isEmpty();
	}

	/** Whether the data does not contradict itself, or not any more. */
	private boolean isConsistent() {
		return this.found.isEmpty() || this.applied && this.left == 0;
	}

	String example(Kind kind) {
		return this.examples.stream()
			.filter((example) -> example.kind() == kind)
			.map((example) -> example.id() + ": " + example.detail())
			.findFirst()
			.orElse("");
	}

	private static long walk(RepairOperations repairs, String queue, Set<Kind> kinds, boolean apply,
			Map<Kind, Long> found, List<Inconsistency> examples) {
		long left = 0;
		String cursor = null;
		do {
			RepairReport report = repairs.repair(queue, kinds, !apply, cursor, null);
			report.repaired().forEach((kind, count) -> found.merge(kind, count, Long::sum));
			report.examples().stream().limit(EXAMPLES - examples.size()).forEach(examples::add);
			left += report.left();
			cursor = report.next();
		}
		while (cursor != null);
		return left;
	}

	private static long sum(Map<Kind, Long> found) {
		return found.values().stream().mapToLong(Long::longValue).sum();
	}

	/**
	 * Tasks of a queue that wait.
	 *
	 * @param unhandled for a handler, by type
	 * @param limited for limits
	 * @param held for a worker of the server that has fetched them
	 */
	record Waiting(Map<String, Long> unhandled, long limited, long held) {
	}

}
