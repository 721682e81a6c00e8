package io.asynq.internal.inspect;

import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;

import com.google.protobuf.InvalidProtocolBufferException;
import io.asynq.BrokerException;
import io.asynq.CancelMode;
import io.asynq.TaskInfo;
import io.asynq.TaskState;
import io.asynq.internal.inspect.TaskMove.Result.Status;
import io.asynq.internal.redis.Keys;
import io.asynq.internal.redis.LuaScript;
import io.asynq.internal.redis.ScriptRunner;
import io.asynq.internal.redis.ScriptTime;
import io.asynq.internal.redis.Statistics;
import io.asynq.internal.redis.TaskMessage;
import io.asynq.internal.redis.TaskMessageCodec;
import io.asynq.internal.redis.Text;
import org.jspecify.annotations.Nullable;
import org.springframework.data.redis.core.HashOperations;

/** Counts nothing; lists are in Go's order, without tasks that cannot be decoded. */
public class TaskKeeper {

	/** At most: a script does fewer when it has to look for them in a long list. */
	private static final int IDS = 100;

	private static final int SLICE = 500;

	/** Only another update changes a scheduled task's message. */
	private static final int ATTEMPTS = 10;

	private static final int CHANGED = -4;

	private final ScriptRunner scripts;

	private final Clock clock;

	private final ScriptTime time;

	private final TaskListing listing;

	public TaskKeeper(ScriptRunner scripts, Clock clock, ScriptTime time) {
		this.scripts = scripts;
		this.time = time;
		this.clock = clock;
		this.listing = new TaskListing(scripts, time);
	}

	public Optional<TaskInfo> find(String queue, String id) {
		Keys keys = Keys.of(queue);
		String subject = Text.task(queue, id);
		List<Object> answer = this.scripts.runList(LuaScript.READ_TASK, subject, List.of(keys.task(id)), keys.prefix(),
				keys.ownPrefix(), id);
		if (answer.isEmpty()) {
			return Optional.empty();
		}
		String state = Text.of(answer.get(1));
		String score = Text.of(answer.get(2));
		try {
			TaskMessage message = TaskMessageCodec.decode(queue, Text.utf8(id), (byte[]) answer.get(0));
			if (state.isEmpty()) {
				throw new BrokerException("The " + subject + " has no state and is in no container", null);
			}
			TaskState in = TaskState.of(state);
			return Optional.of(TaskInfos.builder(message, in, score, (byte[]) answer.get(3), this.clock.instant())
				.waitsFor(TaskInfos.waitsFor(queue, in, score, Text.of(answer.get(4))))
				.pendingSince(TaskInfos.pendingSince(in, Text.of(answer.get(5))))
				.build());
		}
		catch (InvalidProtocolBufferException ex) {
			throw new BrokerException("The message of " + subject + " cannot be decoded: it was not written by asynq",
					ex);
		}
	}

	public List<TaskInfo> list(String queue, TaskState state, long offset, int limit) {
		return this.listing.list(queue, state, Keys.of(queue).container(state), offset, limit);
	}

	public List<TaskInfo> listGroup(String queue, String group, long offset, int limit) {
		return this.listing.list(queue, TaskState.AGGREGATING, Keys.of(queue).group(group), offset, limit);
	}

	/** When this throws, the first of the tasks may have moved. */
	public List<TaskMove.Result> move(String queue, TaskMove move, List<String> ids) {
		Keys keys = Keys.of(queue);
		List<String> containers = List.of(keys.pending(), keys.scheduled(), keys.retry(), keys.archived(),
				keys.completed(), keys.groups());
		List<TaskMove.Result> results = new ArrayList<>(ids.size());
		while (results.size() < ids.size()) {
			int from = results.size();
			List<String> some = ids.subList(from, Math.min(from + IDS, ids.size()));
			List<Object> args = actArgs(keys, move);
			args.addAll(some);
			String subject = (ids.size() == 1) ? Text.task(queue, ids.get(0)) : Text.queue(queue);
			List<Object> answer = this.scripts.runList(LuaScript.MOVE_TASKS, subject, containers, args.toArray());
			for (int i = 0; i < answer.size(); i += 2) {
				results.add(result((Long) answer.get(i), Text.of(answer.get(i + 1))));
			}
		}
		return results;
	}

	/** Moves about as many as there are at first, so that it ends; may fail halfway. */
	public long moveAll(String queue, TaskMove move, TaskState from) {
		return moveAll(queue, move, Keys.of(queue).container(from), from, "");
	}

	/** Moves about as many as there are at first, so that it ends; may fail halfway. */
	public long moveGroup(String queue, TaskMove move, String group) {
		return moveAll(queue, move, Keys.of(queue).group(group), TaskState.AGGREGATING, group);
	}

	/**
	 * For an active task of a Java server the wish is recorded, instead of an earlier
	 * one, and servers are told, of a retry in any case; {@code lasting} records it
	 * whoever has the task, and tells nobody.
	 */
	public TaskMove.Result cancel(String queue, String id, CancelMode mode, boolean lasting) {
		Keys keys = Keys.of(queue);
		List<Object> args = new ArrayList<>(List.of(keys.prefix(), this.time.argument()));
		args.addAll(Statistics.archiveLimits());
		args.addAll(List.of(id, mode.name().toLowerCase(Locale.ROOT), lasting ? "" : Keys.CANCEL_CHANNEL));
		List<Object> answer = this.scripts.runList(LuaScript.CANCEL_TASK, Text.task(queue, id),
				List.of(keys.cancelled(), keys.archived(), keys.lease()), args.toArray());
		return result((Long) answer.get(0), Text.of(answer.get(1)));
	}

	public TaskMove.Result updatePayload(String queue, String id, byte[] payload) {
		for (int i = 0; i < ATTEMPTS; i++) {
			TaskMove.Result result = tryUpdate(queue, id, payload);
			if (result.status() != Status.CONTENDED) {
				return result;
			}
		}
		return new TaskMove.Result(Status.CONTENDED, TaskState.SCHEDULED);
	}

	private long moveAll(String queue, TaskMove move, String source, TaskState state, String group) {
		Keys keys = Keys.of(queue);
		long left = Long.MAX_VALUE;
		long taken;
		long moved = 0;
		do {
			List<Object> args = actArgs(keys, move);
			args.addAll(List.of(Math.min(SLICE, left), state.wireName(), group));
			List<Object> answer = this.scripts.runList(LuaScript.MOVE_ALL, Text.queue(queue), List.of(source),
					args.toArray());
			long size = (Long) answer.get(0);
			taken = (Long) answer.get(1);
			moved += (Long) answer.get(2);
			// Tasks that come meanwhile are left, so that this terminates
			left = Math.min(left, size) - taken;
		}
		while (taken > 0 && left > 0);
		return moved;
	}

	private TaskMove.Result tryUpdate(String queue, String id, byte[] payload) {
		String key = Keys.of(queue).task(id);
		byte[] stored = this.scripts.run("HGET", Text.task(queue, id), (template) -> {
			HashOperations<String, String, byte[]> hashes = template.opsForHash();
			return hashes.get(key, "msg");
		});
		byte[] old = Objects.requireNonNullElse(stored, new byte[0]);
		byte[] changed = withPayload(old, payload);
		if (changed == null) {
			return new TaskMove.Result(Status.BROKEN, null);
		}
		List<Object> answer = this.scripts.runList(LuaScript.UPDATE_PAYLOAD, Text.task(queue, id), List.of(key), old,
				changed);
		long code = (Long) answer.get(0);
		TaskMove.Result result = result(code, Text.of(answer.get(1)));
		return (code == CHANGED && stored != null && old.length > 0)
				? new TaskMove.Result(Status.CONTENDED, result.state()) : result;
	}

	private List<Object> actArgs(Keys keys, TaskMove move) {
		List<Object> args = new ArrayList<>(
				List.of(keys.prefix(), keys.ownPrefix(), move.name().toLowerCase(Locale.ROOT), this.time.argument()));
		args.addAll(Statistics.archiveLimits());
		return args;
	}

	private static byte @Nullable [] withPayload(byte[] message, byte[] payload) {
		try {
			return TaskMessageCodec.encode(TaskMessageCodec.decode(message).toBuilder().payload(payload).build());
		}
		catch (InvalidProtocolBufferException ex) {
			return null;
		}
	}

	private static TaskMove.Result result(long code, String state) {
		Status status = switch ((int) code) {
			case 2 -> Status.RECORDED;
			case 1 -> Status.DONE;
			case 0 -> Status.NOT_FOUND;
			case -1 -> Status.WRONG_STATE;
			case -3 -> Status.MISPLACED;
			default -> Status.BROKEN;
		};
		TaskState known = state(state);
		return new TaskMove.Result((status == Status.WRONG_STATE && known == null) ? Status.BROKEN : status, known);
	}

	private static @Nullable TaskState state(String name) {
		for (TaskState state : TaskState.stored()) {
			if (state.wireName().equals(name)) {
				return state;
			}
		}
		return null;
	}

}
