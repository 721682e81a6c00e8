package io.asynq.internal.group;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.TimeUnit;

import io.asynq.BrokerException;
import io.asynq.group.GroupLimits;
import io.asynq.internal.enqueue.EnqueueRequest;
import io.asynq.internal.enqueue.NewTask;
import io.asynq.internal.group.GroupStore.AggregationStatus;
import io.asynq.internal.group.GroupStore.DueGroups;
import io.asynq.internal.redis.Keys;
import io.asynq.internal.redis.LuaScript;
import io.asynq.internal.redis.PublishedQueues;
import io.asynq.internal.redis.Refusal;
import io.asynq.internal.redis.ScriptRunner;
import io.asynq.internal.redis.ScriptTime;
import io.asynq.internal.redis.TaskMessage;
import io.asynq.internal.redis.Text;
import io.asynq.internal.text.OneLineLogger;
import io.asynq.internal.worker.CrashRecord;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;

/** Unlike in Go, one script stores and deletes, so that a crash cannot leave both. */
public final class RedisGroupStore implements GroupStore {

	private static final Logger logger = OneLineLogger.of(RedisGroupStore.class);

	/** As in Go. */
	private static final Duration SET_LIFE = Duration.ofMinutes(2);

	private static final int GROUPS_PER_LOOK = 500;

	private final ScriptRunner scripts;

	private final ScriptTime time;

	private final PublishedQueues published;

	private final StagedTasks tasks;

	private final Aggregators aggregators;

	public RedisGroupStore(ScriptRunner scripts, ScriptTime time, StagedTasks tasks, PublishedQueues published) {
		this.scripts = scripts;
		this.time = time;
		this.published = published;
		this.tasks = tasks;
		this.aggregators = new Aggregators(scripts, time);
	}

	@Override
	public DueGroups due(String queue, GroupLimits limits, @Nullable String from) {
		Keys keys = Keys.of(queue);
		List<Object> answer = this.scripts.runList(LuaScript.DUE_GROUPS, Text.queue(queue), List.of(keys.groups()),
				(from != null) ? from : "0", keys.groupPrefix(), this.time.argument(), limits.gracePeriod().toSeconds(),
				limits.maxDelay().toSeconds(), limits.maxSize(), GROUPS_PER_LOOK);
		String next = Text.of(answer.get(0));
		String earliest = Text.of(answer.get(1));
		return new DueGroups(answer.subList(2, answer.size()).stream().map(Text::of).toList(),
				earliest.isEmpty() ? null : Duration.ofMillis(Long.parseLong(earliest)),
				next.equals("0") ? null : next);
	}

	@Override
	public @Nullable StagedGroup stage(String queue, String group, GroupLimits limits) {
		Keys keys = Keys.of(queue);
		String set = keys.stagedSet(group, UUID.randomUUID());
		List<Object> args = new ArrayList<>(List.of(group, this.time.argument(), limits.gracePeriod().toSeconds(),
				limits.maxDelay().toSeconds(), limits.maxSize(), SET_LIFE.toSeconds(), ""));
		long sentNanos = this.time.nanoTime();
		List<Object> answer = stage(keys, subject(queue, group), set, args);
		if ((Long) answer.get(0) < 0) {
			args.set(args.size() - 1, answer.get(1));
			args.addAll(this.tasks.arrivals(queue, group, answer.get(1), limits.maxSize()));
			sentNanos = this.time.nanoTime();
			answer = stage(keys, subject(queue, group), set, args);
		}
		long size = (Long) answer.get(0);
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
		NewTask stored = NewTask.of(task);
		this.published.publish(staged.queue());
		List<List<TaskMessage>> chunks = StagedTasks.chunks(members);
		List<Object> args = new ArrayList<>(List.of(keys.prefix(), this.time.argument()));
		args.addAll(stored.args());
		args.addAll(StagedTasks.idsAndLocks(keys, chunks.get(0)));
		int code = (int) this.scripts.runLong(LuaScript.FINISH_STAGED, subject(staged.queue(), staged.group()),
				List.of(keys.aggregationSets(), staged.set(), keys.aggregated(), keys.container(stored.state())),
				args.toArray());
		if (code == 2) {
			deleteRest(staged, chunks.subList(1, chunks.size()));
		}
		return switch (code) {
			case 1, 2 -> AggregationStatus.ENQUEUED;
			case 0 -> AggregationStatus.ID_CONFLICT;
			case -1 -> AggregationStatus.DUPLICATE;
			case -4 -> AggregationStatus.EXPIRED;
			default -> throw Refusal.of(stored.message(), code).orElseThrow();
		};
	}

	@Override
	public void giveBack(StagedGroup staged) {
		Keys keys = Keys.of(staged.queue());
		this.scripts.runLong(LuaScript.GIVE_BACK_STAGED, subject(staged.queue(), staged.group()),
				List.of(keys.group(staged.group()), staged.set(), keys.aggregationSets(), keys.groups()),
				staged.group());
	}

	@Override
	public void archive(StagedGroup staged, List<TaskMessage> members, String error) {
		this.tasks.archive(staged.queue(), staged.set(), members, error);
	}

	@Override
	public CrashRecord begin(StagedGroup staged) {
		return this.aggregators.begin(staged);
	}

	@Override
	public void end(StagedGroup staged, End how) {
		this.aggregators.end(staged, how);
	}

	private List<Object> stage(Keys keys, String subject, String set, List<Object> args) {
		return this.scripts.runList(LuaScript.STAGE_GROUP, subject,
				List.of(keys.group((String) args.get(0)), set, keys.aggregationSets(), keys.groups()), args.toArray());
	}

	/** A failure does no harm: the set is listed, so any server deletes the rest. */
	private void deleteRest(StagedGroup staged, List<List<TaskMessage>> chunks) {
		try {
			chunks.forEach((chunk) -> this.tasks.delete(staged.queue(), staged.set(), chunk));
		}
		catch (BrokerException ex) {
			logger.warn("Aggregated tasks of {} are deleted later: {}", subject(staged.queue(), staged.group()),
					ex.getMessage());
		}
	}

	private static String subject(String queue, String group) {
		return "group '" + group + "' of queue '" + queue + "'";
	}

}
