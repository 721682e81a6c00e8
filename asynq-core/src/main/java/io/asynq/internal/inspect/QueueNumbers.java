package io.asynq.internal.inspect;

import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Collectors;

import io.asynq.TaskState;
import io.asynq.inspect.QueueStats;
import io.asynq.inspect.QueueStats.Counters;
import io.asynq.internal.redis.Keys;
import io.asynq.internal.redis.LuaScript;
import io.asynq.internal.redis.ScriptRunner;
import io.asynq.internal.redis.ScriptTime;
import io.asynq.internal.redis.Text;

/** Uses one script, so the queues must be few, and of one slot on a cluster. */
final class QueueNumbers {

	private static final List<TaskState> IN_ORDER = List.of(TaskState.PENDING, TaskState.ACTIVE, TaskState.SCHEDULED,
			TaskState.RETRY, TaskState.ARCHIVED, TaskState.COMPLETED);

	/** As many as Go looks at. */
	private static final int SAMPLED_TASKS = 20;

	private static final int SAMPLED_GROUPS = 5;

	private final ScriptRunner scripts;

	private final ScriptTime time;

	private final RareCounts grouped;

	private final RareCounts limited;

	QueueNumbers(ScriptRunner scripts, ScriptTime time) {
		this.scripts = scripts;
		this.time = time;
		this.grouped = new RareCounts(
				(queue) -> new GroupWalk(scripts, queue).tell(GroupWalk.Which.NONE, (name, tasks) -> {
				}));
		this.limited = new RareCounts(this::countWaiting);
	}

	Set<String> names() {
		Set<byte[]> names = this.scripts.run("SMEMBERS", Keys.QUEUES,
				(template) -> Objects.requireNonNull(template.opsForSet().members(Keys.QUEUES)));
		return names.stream().map(Text::of).collect(Collectors.toCollection(TreeSet::new));
	}

	Map<String, QueueStats> stats(List<String> queues) {
		List<Object> args = new ArrayList<>(List.of(RareCounts.FEW, this.time.argument()));
		queues.forEach((queue) -> args.add(Keys.of(queue).prefix()));
		List<Object> answers = this.scripts
			.runList(
					LuaScript.READ_STATS, subject(queues), keys(queues, (keys) -> keys.containers(IN_ORDER,
							keys.groups(), keys.paused(), keys.processedTotal(), keys.failedTotal(), keys.waiting())),
					args.toArray());
		Map<String, QueueStats> stats = new LinkedHashMap<>();
		for (int i = 0; i < answers.size(); i++) {
			stats.put(queues.get(i), stats(queues.get(i), (List<?>) answers.get(i)));
		}
		return stats;
	}

	Map<String, Long> memory(Map<String, QueueStats> queues) {
		List<String> names = List.copyOf(queues.keySet());
		List<Object> args = new ArrayList<>(List.of(SAMPLED_TASKS, SAMPLED_GROUPS));
		for (String queue : names) {
			args.add(Keys.of(queue).prefix());
			args.add(queues.get(queue).sizes().getOrDefault(TaskState.AGGREGATING, 0L));
		}
		List<Object> answers = this.scripts.runList(LuaScript.READ_MEMORY, subject(names),
				keys(names, (keys) -> keys.containers(IN_ORDER, keys.groups())), args.toArray());
		Map<String, Long> memory = new LinkedHashMap<>();
		for (int i = 0; i < answers.size(); i++) {
			memory.put(names.get(i), (Long) answers.get(i));
		}
		return memory;
	}

	private QueueStats stats(String queue, List<?> answer) {
		Map<TaskState, Long> sizes = new EnumMap<>(TaskState.class);
		for (int i = 0; i < IN_ORDER.size(); i++) {
			sizes.put(IN_ORDER.get(i), (Long) answer.get(i));
		}
		long nanoTime = this.time.nanoTime();
		RareCounts.Sum inGroups = sum(queue, (Long) answer.get(7), this.grouped, nanoTime);
		// One that was moved by hand is in line for a while
		long waiting = Math.min(sum(queue, (Long) answer.get(15), this.limited, nanoTime).tasks(),
				sizes.getOrDefault(TaskState.RETRY, 0L));
		sizes.put(TaskState.AGGREGATING, inGroups.tasks());
		return new QueueStats(sizes, (Long) answer.get(6),
				latency(Long.parseLong(Text.of(answer.get(14))), Text.of(answer.get(9))),
				new Counters(number(answer.get(10)), number(answer.get(11))),
				new Counters(number(answer.get(12)), number(answer.get(13))), (Long) answer.get(8) == 1,
				Duration.ofNanos(nanoTime - inGroups.atNanos()), waiting, (Long) answer.get(16));
	}

	private long countWaiting(String queue) {
		long tasks = 0;
		List<Object> answer;
		int slice = 0;
		do {
			answer = this.scripts.runList(LuaScript.COUNT_WAITING, Text.queue(queue), List.of(Keys.of(queue).waiting()),
					slice++ * RareCounts.FEW, RareCounts.FEW);
			for (int i = 1; i < answer.size(); i += 2) {
				tasks += (Long) answer.get(i);
			}
		}
		while (answer.size() == 2 * RareCounts.FEW);
		return tasks;
	}

	private static RareCounts.Sum sum(String queue, long counted, RareCounts rare, long nanoTime) {
		return (counted >= 0) ? new RareCounts.Sum(counted, nanoTime) : rare.sum(queue, nanoTime);
	}

	private static Duration latency(long now, String pendingSinceNanos) {
		long since = parse(pendingSinceNanos);
		long waited = now - since;
		return (since > 0 && waited > 0) ? Duration.ofNanos(waited) : Duration.ZERO;
	}

	static long number(Object text) {
		return parse(Text.of(text));
	}

	private static long parse(String text) {
		try {
			return text.isEmpty() ? 0 : Long.parseLong(text);
		}
		catch (NumberFormatException ex) {
			// A counter that is not a number counts as zero
			return 0;
		}
	}

	private static List<String> keys(List<String> queues, Function<Keys, List<String>> keys) {
		return queues.stream().map(Keys::of).map(keys).flatMap(List::stream).toList();
	}

	private static String subject(List<String> queues) {
		return (queues.size() == 1) ? Text.queue(queues.get(0)) : queues.size() + " queues";
	}

}
