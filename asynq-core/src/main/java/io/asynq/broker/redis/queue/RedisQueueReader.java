package io.asynq.broker.redis.queue;

import java.time.Duration;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

import io.asynq.TaskState;
import io.asynq.broker.QueueReader;
import io.asynq.broker.redis.Keys;
import io.asynq.broker.redis.LuaScript;
import io.asynq.broker.redis.ScriptRunner;
import io.asynq.broker.redis.ScriptTime;
import io.asynq.broker.redis.Text;
import io.asynq.broker.redis.UsableRedis;
import io.asynq.info.DailyStats;
import io.asynq.info.GroupInfo;
import io.asynq.info.QueueStats;
import io.asynq.info.QueueStats.Counters;

/**
 * Reads queues without scanning tasks.
 */
public final class RedisQueueReader implements QueueReader {

	private static final List<TaskState> IN_ORDER = List.of(TaskState.PENDING, TaskState.ACTIVE, TaskState.SCHEDULED,
			TaskState.RETRY, TaskState.ARCHIVED, TaskState.COMPLETED);

	/** As many as Go looks at. */
	private static final int SAMPLED_TASKS = 20;

	private static final int SAMPLED_GROUPS = 5;

	private final ScriptRunner scripts;

	private final ScriptTime time;

	private final GroupSizes groupSizes;

	private final UsableRedis usable;

	public RedisQueueReader(ScriptRunner scripts, ScriptTime time, UsableRedis usable) {
		this.scripts = scripts;
		this.time = time;
		this.usable = usable;
		this.groupSizes = new GroupSizes(scripts);
	}

	@Override
	public Set<String> queues() {
		Set<byte[]> names = this.scripts.run("SMEMBERS", "asynq:queues",
				(template) -> Objects.requireNonNull(template.opsForSet().members(Keys.QUEUES)));
		Set<String> queues = new TreeSet<>();
		names.forEach((name) -> queues.add(Text.of(name)));
		return queues;
	}

	@Override
	public Optional<QueueStats> stats(String queue) {
		return exists(queue) ? Optional.of(read(queue)) : Optional.empty();
	}

	@Override
	public boolean exists(String queue) {
		return this.scripts.run("SISMEMBER", Text.queue(queue),
				(template) -> Boolean.TRUE.equals(template.opsForSet().isMember(Keys.QUEUES, Text.utf8(queue))));
	}

	@Override
	public List<DailyStats> history(String queue, LocalDate last, int days) {
		Keys keys = Keys.of(queue);
		List<String> counters = new ArrayList<>(2 * days);
		for (int i = 0; i < days; i++) {
			counters.add(keys.processed(last.minusDays(i)));
			counters.add(keys.failed(last.minusDays(i)));
		}
		List<Object> answer = this.scripts.runList(LuaScript.READ_HISTORY, Text.queue(queue), counters,
				counters.size());
		List<DailyStats> history = new ArrayList<>(days);
		for (int i = 0; i < days; i++) {
			history.add(
					new DailyStats(queue, last.minusDays(i), number(answer.get(2 * i)), number(answer.get(2 * i + 1))));
		}
		return history;
	}

	@Override
	public List<GroupInfo> groups(String queue) {
		return this.groupSizes.list(queue);
	}

	@Override
	public long memoryUsage(String queue) {
		Keys keys = Keys.of(queue);
		return this.scripts.runLong(LuaScript.READ_MEMORY, Text.queue(queue), keys.containers(IN_ORDER, keys.groups()),
				keys.prefix(), SAMPLED_TASKS, SAMPLED_GROUPS,
				read(queue).sizes().getOrDefault(TaskState.AGGREGATING, 0L));
	}

	@Override
	public void ping() {
		this.usable.ping();
	}

	private QueueStats read(String queue) {
		Keys keys = Keys.of(queue);
		List<Object> answer = this.scripts.runList(LuaScript.READ_STATS, Text.queue(queue),
				keys.containers(IN_ORDER, keys.groups(), keys.paused(), keys.processedTotal(), keys.failedTotal()),
				keys.prefix(), GroupSizes.FEW, this.time.argument());
		Map<TaskState, Long> sizes = new EnumMap<>(TaskState.class);
		for (int i = 0; i < IN_ORDER.size(); i++) {
			sizes.put(IN_ORDER.get(i), (Long) answer.get(i));
		}
		long nanoTime = this.time.nanoTime();
		long aggregating = (Long) answer.get(7);
		GroupSizes.Sum inGroups = (aggregating >= 0) ? new GroupSizes.Sum(aggregating, nanoTime)
				: this.groupSizes.sum(queue, nanoTime);
		sizes.put(TaskState.AGGREGATING, inGroups.tasks());
		return new QueueStats(sizes, (Long) answer.get(6),
				latency(Long.parseLong(Text.of(answer.get(14))), Text.of(answer.get(9))),
				new Counters(number(answer.get(10)), number(answer.get(11))),
				new Counters(number(answer.get(12)), number(answer.get(13))), (Long) answer.get(8) == 1,
				Duration.ofNanos(nanoTime - inGroups.atNanos()));
	}

	private static Duration latency(long now, String pendingSinceNanos) {
		long since = parse(pendingSinceNanos);
		long waited = now - since;
		return (since > 0 && waited > 0) ? Duration.ofNanos(waited) : Duration.ZERO;
	}

	private static long number(Object text) {
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

}
