package io.asynq.internal.inspect;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

import com.google.protobuf.InvalidProtocolBufferException;
import io.asynq.TaskInfo;
import io.asynq.TaskState;
import io.asynq.internal.redis.Keys;
import io.asynq.internal.redis.LuaScript;
import io.asynq.internal.redis.ScriptRunner;
import io.asynq.internal.redis.ScriptTime;
import io.asynq.internal.redis.TaskMessage;
import io.asynq.internal.redis.TaskMessageCodec;
import io.asynq.internal.redis.Text;

/** Reads slices that neither block Redis for long nor exceed memory. */
public final class TaskListing {

	public static final int SLICE = 256;

	private static final long MAX_BYTES = 4L * 1024 * 1024;

	private static final int FIELDS = 7;

	/** No container is that long, and scripts count in floating point numbers. */
	private static final long BEYOND_ALL = 1L << 40;

	private final ScriptRunner scripts;

	private final ScriptTime time;

	public TaskListing(ScriptRunner scripts, ScriptTime time) {
		this.scripts = scripts;
		this.time = time;
	}

	List<TaskInfo> list(String queue, TaskState state, String container, long offset, int limit) {
		List<TaskInfo> tasks = new ArrayList<>();
		long looked = 0;
		long more;
		do {
			more = read(queue, state, container, offset + looked, limit - looked, tasks);
			looked += more;
		}
		while (more > 0 && looked < limit);
		return tasks;
	}

	/**
	 * Returns how many places were looked at; a task that cannot be read takes one, too.
	 */
	public long read(String queue, TaskState state, String container, long offset, long limit, List<TaskInfo> tasks) {
		if (offset > BEYOND_ALL || limit < 1) {
			return 0;
		}
		Keys keys = Keys.of(queue);
		List<Object> answer = this.scripts.runList(LuaScript.LIST_TASKS, Text.queue(queue),
				List.of(container, keys.lease()), keys.taskPrefix(), offset, Math.min(SLICE, limit), MAX_BYTES,
				this.time.argument());
		add(queue, state, (List<?>) answer.get(1), Text.ofNanos(answer.get(2)), tasks);
		return (Long) answer.get(0);
	}

	private void add(String queue, TaskState state, List<?> found, Instant now, List<TaskInfo> tasks) {
		for (int i = 0; i < found.size(); i += FIELDS) {
			try {
				TaskMessage message = TaskMessageCodec.decode(queue, (byte[]) found.get(i), (byte[]) found.get(i + 3));
				String score = Text.of(found.get(i + 1));
				TaskInfo.Builder info = TaskInfos.builder(message, state, score, (byte[]) found.get(i + 4), now)
					.waitsFor(TaskInfos.waitsFor(queue, state, score, Text.of(found.get(i + 5))))
					.pendingSince(TaskInfos.pendingSince(state, Text.of(found.get(i + 6))));
				tasks.add(info.orphaned(isOrphaned(state, Text.of(found.get(i + 2)), now)).build());
			}
			catch (InvalidProtocolBufferException ex) {
				// Left out as in Go's lists; a diagnosis reports it
			}
		}
	}

	private static boolean isOrphaned(TaskState state, String leaseEnd, Instant now) {
		return state == TaskState.ACTIVE && !leaseEnd.isEmpty() && !Text.instant(leaseEnd).isAfter(now);
	}

}
