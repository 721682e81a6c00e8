package io.asynq.reliability.load;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;

import io.asynq.TaskOptions;
import io.asynq.test.ledger.TaskKey;

/** Generates the tasks of a run, reproducibly by seed. */
public final class Load {

	/** The weights of the queues of all workers. */
	public static final Map<String, Integer> QUEUES = queues();

	/** How many tasks each worker runs at a time. */
	public static final int CONCURRENCY = 20;

	private static final Duration LOCK = Duration.ofHours(1);

	private static final Duration RETENTION = Duration.ofHours(1);

	/** One of this many unique tasks has the payload of the previous one. */
	private static final int DUPLICATES = 10;

	/** The groups of each queue: few enough to fill up. */
	private static final int GROUPS = 4;

	private final Random random;

	private final int longTasks;

	private int number;

	private int lastUnique;

	private int lastUniqueMember;

	public Load(Random random, int longTasks) {
		this.random = random;
		this.longTasks = longTasks;
	}

	/** Limits let some groups fill up and others wait; {@code worker.go} has the same. */
	public static Map<String, String> workerProperties() {
		Map<String, String> properties = new LinkedHashMap<>();
		QUEUES.forEach((queue, weight) -> properties.put("asynq.server.queues." + queue, weight.toString()));
		properties.put("asynq.server.concurrency", String.valueOf(CONCURRENCY));
		properties.put("asynq.server.group-max-size", "8");
		properties.put("asynq.server.group-max-delay", "3s");
		properties.put("asynq.server.group-grace-period", "1s");
		return properties;
	}

	PlannedTask next() {
		this.number++;
		TaskKind kind = TaskKind.draw(this.random, this.longTasks);
		TaskKey key = new TaskKey(queue(), "t" + this.number);
		return new PlannedTask(key, kind, payload(kind), options(kind, key));
	}

	/**
	 * Returns the name of a group, which begins with that of its queue because Go's
	 * aggregators are not told the queue.
	 */
	static String group(String queue, String name) {
		return queue + "-" + name;
	}

	static Work longWork(int number, int millis, boolean failsAgain) {
		return new Work(number, millis, failsAgain ? List.of(1) : List.of(), false);
	}

	private Object payload(TaskKind kind) {
		return switch (kind) {
			case GROUPED -> new Member(this.number);
			case GROUPED_UNIQUE -> new Member(uniqueMember());
			default -> work(kind);
		};
	}

	private Work work(TaskKind kind) {
		return switch (kind) {
			case SHORT, SCHEDULED, RETAINED -> work(List.of());
			case LONG -> longWork(this.number, 1000 + this.random.nextInt(3000), this.random.nextBoolean());
			case UNIQUE -> new Work(uniqueNumber(), this.random.nextInt(20), List.of(), false);
			case RETRYING -> work(upTo(1 + this.random.nextInt(3)));
			case EXHAUSTED -> work(upTo(1000));
			case SKIPPED -> new Work(this.number, millis(), List.of(), true);
			case LIMITED, GROUPED, GROUPED_UNIQUE -> throw new IllegalArgumentException(kind + " does no work");
		};
	}

	private Work work(List<Integer> fails) {
		return new Work(this.number, millis(), fails, false);
	}

	private TaskOptions options(TaskKind kind, TaskKey key) {
		return TaskOptions.of((options) -> {
			options.queue(key.queue()).taskId(key.id());
			if (kind.isGrouped()) {
				options.group(group(key.queue(), String.valueOf(this.random.nextInt(GROUPS))));
				options.header(Member.ID, key.id());
			}
			switch (kind) {
				case SCHEDULED -> options.processIn(Duration.ofMillis(1000 + this.random.nextInt(4000)));
				case UNIQUE, GROUPED_UNIQUE -> options.unique(LOCK);
				case RETAINED -> options.retention(RETENTION);
				case EXHAUSTED -> options.maxRetry(1);
				default -> {
				}
			}
		});
	}

	private String queue() {
		List<String> names = List.copyOf(QUEUES.keySet());
		return names.get(this.random.nextInt(names.size()));
	}

	private int uniqueNumber() {
		if (this.random.nextInt(DUPLICATES) != 0) {
			this.lastUnique = this.number;
		}
		return this.lastUnique;
	}

	private int uniqueMember() {
		if (this.random.nextInt(DUPLICATES) != 0) {
			this.lastUniqueMember = this.number;
		}
		return this.lastUniqueMember;
	}

	private int millis() {
		return this.random.nextInt(6);
	}

	private static List<Integer> upTo(int attempts) {
		return IntStream.range(0, Math.min(attempts, 2 + TaskOptions.DEFAULT_MAX_RETRY)).boxed().toList();
	}

	private static Map<String, Integer> queues() {
		Map<String, Integer> queues = new LinkedHashMap<>();
		queues.put("critical", 6);
		queues.put("default", 3);
		queues.put("low", 1);
		return queues;
	}

}
