package io.asynq.broker.redis;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;

import com.google.protobuf.InvalidProtocolBufferException;
import io.asynq.BrokerException;
import io.asynq.TaskState;
import io.asynq.broker.TaskMove;
import io.asynq.broker.TaskMoveResult;
import io.asynq.broker.TaskMoveResult.Status;
import io.asynq.broker.TaskMover;
import org.jspecify.annotations.Nullable;

import org.springframework.data.redis.core.HashOperations;

/**
 * Moves and changes tasks by hand (protocol 6.22), so many per script call that Redis is
 * not blocked for long.
 */
final class RedisTaskMover implements TaskMover {

	/** At most: a script does fewer when it has to look for them in a long list. */
	private static final int IDS = 100;

	private static final int SLICE = 500;

	/** Only another update changes a scheduled task's message. */
	private static final int ATTEMPTS = 10;

	private static final int CHANGED = -4;

	private final ScriptRunner scripts;

	private final ScriptTime time;

	RedisTaskMover(ScriptRunner scripts, ScriptTime time) {
		this.scripts = scripts;
		this.time = time;
	}

	@Override
	public List<TaskMoveResult> move(String queue, TaskMove move, List<String> ids) {
		Keys keys = Keys.of(queue);
		List<String> containers = List.of(keys.pending(), keys.scheduled(), keys.retry(), keys.archived(),
				keys.completed(), keys.groups());
		List<TaskMoveResult> results = new ArrayList<>(ids.size());
		while (results.size() < ids.size()) {
			int from = results.size();
			List<String> some = ids.subList(from, Math.min(from + IDS, ids.size()));
			List<Object> args = new ArrayList<>(List.of(keys.taskPrefix(), keys.groupPrefix()));
			args.addAll(timesFor(move));
			args.addAll(some);
			String subject = (ids.size() == 1) ? subject(queue, ids.get(0)) : Text.queue(queue);
			List<Object> answer = this.scripts.runList(single(move), subject, containers, args.toArray());
			for (int i = 0; i < answer.size(); i += 2) {
				results.add(result((Long) answer.get(i), Text.of(answer.get(i + 1))));
			}
		}
		return results;
	}

	@Override
	public long moveAll(String queue, TaskMove move, TaskState from) {
		return moveAll(queue, move, Keys.of(queue).prefix() + from.wireName(), from, "");
	}

	@Override
	public long moveGroup(String queue, TaskMove move, String group) {
		return moveAll(queue, move, Keys.of(queue).group(group), TaskState.AGGREGATING, group);
	}

	@Override
	public TaskMoveResult updatePayload(String queue, String id, byte[] payload) {
		for (int i = 0; i < ATTEMPTS; i++) {
			TaskMoveResult result = tryUpdate(queue, id, payload);
			if (result.status() != Status.CONTENDED) {
				return result;
			}
		}
		return new TaskMoveResult(Status.CONTENDED, TaskState.SCHEDULED);
	}

	private long moveAll(String queue, TaskMove move, String source, TaskState state, String group) {
		Keys keys = Keys.of(queue);
		List<String> names = switch (move) {
			case RUN -> List.of(source, keys.pending());
			case ARCHIVE -> List.of(source, keys.archived());
			case DELETE -> List.of(source);
		};
		long left = Long.MAX_VALUE;
		long taken;
		long moved = 0;
		do {
			List<Object> args = new ArrayList<>(List.of(keys.prefix(), Math.min(SLICE, left), state.wireName(), group));
			args.addAll(timesFor(move));
			List<Object> answer = this.scripts.runList(slice(move), Text.queue(queue), names, args.toArray());
			long size = (Long) answer.get(0);
			if (size < 0) {
				throw new BrokerException("Tasks of queue '" + queue + "' cannot be moved: one of " + names + " and "
						+ keys.groups() + " has the wrong type in Redis; rename or delete that key", null);
			}
			taken = (Long) answer.get(1);
			moved += (Long) answer.get(2);
			// What comes meanwhile is left, so that this ends
			left = Math.min(left, size) - taken;
		}
		while (taken > 0 && left > 0);
		return moved;
	}

	private TaskMoveResult tryUpdate(String queue, String id, byte[] payload) {
		String key = Keys.of(queue).task(id);
		byte[] stored = this.scripts.run("HGET", subject(queue, id), (template) -> {
			HashOperations<String, String, byte[]> hashes = template.opsForHash();
			return hashes.get(key, "msg");
		});
		byte[] old = Objects.requireNonNullElse(stored, new byte[0]);
		byte[] changed = withPayload(old, payload);
		if (changed == null) {
			return new TaskMoveResult(Status.BROKEN, null);
		}
		List<Object> answer = this.scripts.runList(LuaScript.UPDATE_PAYLOAD, subject(queue, id), List.of(key), old,
				changed);
		long code = (Long) answer.get(0);
		TaskMoveResult result = result(code, Text.of(answer.get(1)));
		return (code == CHANGED && stored != null && old.length > 0)
				? new TaskMoveResult(Status.CONTENDED, result.state()) : result;
	}

	private List<Object> timesFor(TaskMove move) {
		return switch (move) {
			case RUN -> List.of(this.time.argument());
			case ARCHIVE -> Stream.concat(Stream.of(this.time.argument()), ArchiveLimits.args().stream()).toList();
			case DELETE -> List.of();
		};
	}

	private static byte @Nullable [] withPayload(byte[] message, byte[] payload) {
		try {
			return TaskMessageCodec.encode(TaskMessageCodec.decode(message).toBuilder().payload(payload).build());
		}
		catch (InvalidProtocolBufferException ex) {
			return null;
		}
	}

	private static LuaScript single(TaskMove move) {
		return switch (move) {
			case RUN -> LuaScript.RUN_TASKS;
			case ARCHIVE -> LuaScript.ARCHIVE_TASKS;
			case DELETE -> LuaScript.DELETE_TASKS;
		};
	}

	private static LuaScript slice(TaskMove move) {
		return switch (move) {
			case RUN -> LuaScript.RUN_ALL;
			case ARCHIVE -> LuaScript.ARCHIVE_ALL;
			case DELETE -> LuaScript.DELETE_ALL;
		};
	}

	private static TaskMoveResult result(long code, String state) {
		Status status = switch ((int) code) {
			case 1 -> Status.DONE;
			case 0 -> Status.NOT_FOUND;
			case -1 -> Status.WRONG_STATE;
			case -3 -> Status.MISPLACED;
			default -> Status.BROKEN;
		};
		TaskState known = state(state);
		return new TaskMoveResult((status == Status.WRONG_STATE && known == null) ? Status.BROKEN : status, known);
	}

	private static @Nullable TaskState state(String name) {
		for (TaskState state : TaskState.values()) {
			if (state.wireName().equals(name)) {
				return state;
			}
		}
		return null;
	}

	private static String subject(String queue, String id) {
		return "task '" + id + "' of queue '" + queue + "'";
	}

}
