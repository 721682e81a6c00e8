package io.asynq.broker.redis;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.TimeUnit;

import io.asynq.BrokerException;
import io.asynq.broker.AggregationStatus;
import io.asynq.broker.DueGroups;
import io.asynq.broker.EnqueueRequest;
import io.asynq.broker.GroupLimits;
import io.asynq.broker.GroupStore;
import io.asynq.broker.Placement;
import io.asynq.broker.StagedGroup;
import io.asynq.broker.TaskMessage;
import io.asynq.logging.OneLineLogger;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;

/**
 * Has groups turned into tasks (protocol 6.15–6.18, 7.4). Other than Go, what stores the
 * new task also deletes the old ones, or notes that they are to be deleted: nobody who
 * ends in between leaves both.
 */
final class RedisGroupStore implements GroupStore {

	private static final Logger logger = OneLineLogger.of(RedisGroupStore.class);

	/** As in Go. */
	private static final Duration SET_LIFE = Duration.ofMinutes(2);

	private static final int GROUPS_PER_LOOK = 500;

	private static final int LEFT_OVER_SETS = 100;

	private final ScriptRunner scripts;

	private final ScriptTime time;

	private final PublishedQueues published;

	private final StagedTasks tasks;

	RedisGroupStore(ScriptRunner scripts, ScriptTime time, StagedTasks tasks, PublishedQueues published) {
		this.scripts = scripts;
		this.time = time;
		this.published = published;
		this.tasks = tasks;
	}

	@Override
	public DueGroups due(String queue, GroupLimits limits, @Nullable String from) {
		Keys keys = Keys.of(queue);
		List<Object> answer = this.scripts.runList(LuaScript.DUE_GROUPS, Text.queue(queue), List.of(keys.groups()),
				(from != null) ? from : "0", keys.groupPrefix(), this.time.argument(), limits.gracePeriod().toSeconds(),
				limits.maxDelay().toSeconds(), limits.maxSize(), GROUPS_PER_LOOK);
		String next = Text.of(answer.get(0));
		if (next.equals("-2")) {
			throw new BrokerException("Groups of queue '" + queue + "' cannot be aggregated: " + keys.groups()
					+ " is no set in Redis; rename or delete that key", null);
		}
		String earliest = Text.of(answer.get(1));
		return new DueGroups(answer.subList(2, answer.size()).stream().map(Text::of).toList(),
				earliest.isEmpty() ? null : Duration.ofMillis(Long.parseLong(earliest)),
				next.equals("0") ? null : next);
	}

	@Override
	public @Nullable StagedGroup stage(String queue, String group, GroupLimits limits) {
		Keys keys = Keys.of(queue);
		String set = keys.stagedSet(group, UUID.randomUUID());
		long sentNanos = this.time.nanoTime();
		List<Object> answer = this.scripts.runList(LuaScript.STAGE_GROUP, subject(queue, group),
				List.of(keys.group(group), set, keys.aggregationSets(), keys.groups()), group, this.time.argument(),
				limits.gracePeriod().toSeconds(), limits.maxDelay().toSeconds(), limits.maxSize(),
				SET_LIFE.toSeconds());
		long size = (Long) answer.get(0);
		requireUsable(size, queue, group, keys);
		return (size > 0) ? new StagedGroup(queue, group, set, (int) size, Text.instant((Long) answer.get(1)),
				sentNanos + TimeUnit.MILLISECONDS.toNanos((Long) answer.get(2))) : null;
	}

	@Override
	public List<TaskMessage> read(StagedGroup staged) {
		return this.tasks.read(staged.queue(), staged.set());
	}

	@Override
	public AggregationStatus finish(StagedGroup staged, List<TaskMessage> members, EnqueueRequest task) {
		Keys keys = Keys.of(staged.queue());
		List<String> names = finishKeys(staged, task, keys);
		this.published.publish(staged.queue());
		List<List<TaskMessage>> chunks = StagedTasks.chunks(members);
		long code = this.scripts.runLong(LuaScript.FINISH_STAGED, subject(staged.queue(), staged.group()), names,
				finishArgs(task, keys, chunks.get(0)));
		if (code == 2) {
			deleteRest(staged, chunks.subList(1, chunks.size()));
		}
		return switch ((int) code) {
			case 1, 2 -> AggregationStatus.ENQUEUED;
			case 0 -> AggregationStatus.ID_CONFLICT;
			case -1 -> AggregationStatus.DUPLICATE;
			case -3 -> AggregationStatus.EXPIRED;
			default -> throw new BrokerException("The aggregated task of " + subject(staged.queue(), staged.group())
					+ " cannot be stored: one of " + String.join(", ", names.subList(1, 5))
					+ " has the wrong type in Redis; rename or delete that key", null);
		};
	}

	@Override
	public void giveBack(StagedGroup staged) {
		Keys keys = Keys.of(staged.queue());
		long code = this.scripts.runLong(LuaScript.GIVE_BACK_STAGED, subject(staged.queue(), staged.group()),
				List.of(keys.group(staged.group()), staged.set(), keys.aggregationSets(), keys.groups()),
				staged.group());
		requireUsable(code, staged.queue(), staged.group(), keys);
	}

	@Override
	public void archive(StagedGroup staged, List<TaskMessage> members, String error) {
		this.tasks.archive(staged.queue(), staged.set(), members, error);
	}

	@Override
	public int deleteLeftOver(String queue) {
		Keys keys = Keys.of(queue);
		Set<byte[]> sets = this.scripts.run("ZRANGE", Text.queue(queue),
				(template) -> template.opsForZSet().range(keys.aggregated(), 0, LEFT_OVER_SETS - 1));
		int deleted = 0;
		for (byte[] set : (sets != null) ? sets : Set.<byte[]>of()) {
			deleted += this.tasks.deleteAll(queue, Text.of(set));
		}
		return deleted;
	}

	/**
	 * Goes on after the new task was stored. What fails changes nothing about that: the
	 * set is noted, and any server deletes what is left of it.
	 */
	private void deleteRest(StagedGroup staged, List<List<TaskMessage>> chunks) {
		try {
			chunks.forEach((chunk) -> this.tasks.delete(staged.queue(), staged.set(), chunk));
		}
		catch (BrokerException ex) {
			logger.warn("Tasks of {} that have been aggregated are deleted later: {}",
					subject(staged.queue(), staged.group()), ex.getMessage());
		}
	}

	private static List<String> finishKeys(StagedGroup staged, EnqueueRequest task, Keys keys) {
		boolean later = task.placement() instanceof Placement.Scheduled;
		List<String> names = new ArrayList<>(List.of(keys.task(task.message().id()),
				later ? keys.scheduled() : keys.pending(), keys.aggregationSets(), staged.set(), keys.aggregated()));
		if (task.lockTtl() != null) {
			names.add(lock(task, keys));
		}
		return names;
	}

	private Object[] finishArgs(EnqueueRequest task, Keys keys, List<TaskMessage> members) {
		Duration lockTtl = task.lockTtl();
		TaskMessage message = (lockTtl != null) ? task.message().toBuilder().uniqueKey(lock(task, keys)).build()
				: task.message();
		List<Object> args = new ArrayList<>(
				List.of(message.id(), TaskMessageCodec.encode(message), this.time.argument(),
						(task.placement() instanceof Placement.Scheduled later) ? Text.seconds(later.at()) : "",
						(lockTtl != null) ? lockTtl.toSeconds() : 0, keys.taskPrefix()));
		args.addAll(StagedTasks.idsAndLocks(keys, members));
		return args.toArray();
	}

	private static String lock(EnqueueRequest task, Keys keys) {
		return keys.unique(task.message().type(), task.message().payload());
	}

	private static void requireUsable(long code, String queue, String group, Keys keys) {
		if (code == -2) {
			throw new BrokerException("Group '" + group + "' of queue '" + queue + "' cannot be aggregated: "
					+ keys.group(group) + ", " + keys.aggregationSets() + " or " + keys.groups()
					+ " has the wrong type in Redis; rename or delete that key", null);
		}
	}

	private static String subject(String queue, String group) {
		return "group '" + group + "' of queue '" + queue + "'";
	}

}
