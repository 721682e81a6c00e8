package io.asynq.internal.worker;

import java.util.List;

import io.asynq.internal.redis.DeletedTasks;
import io.asynq.internal.redis.Keys;
import io.asynq.internal.redis.LuaScript;
import io.asynq.internal.redis.ScriptRunner;
import io.asynq.internal.redis.ScriptTime;
import io.asynq.internal.redis.Text;
import io.asynq.internal.worker.TaskUpkeep.Forwarded;

final class DueTasks {

	private static final int BATCH = 100;

	/** Some ten thousand tasks; the rest goes with the next pass. */
	private static final int DELETED_SLICES = 20;

	private final ScriptRunner scripts;

	private final ScriptTime time;

	private final BrokenTaskHandler broken;

	private final CancelledTasks cancelled;

	DueTasks(ScriptRunner scripts, ScriptTime time, BrokenTaskHandler broken) {
		this.scripts = scripts;
		this.time = time;
		this.broken = broken;
		this.cancelled = new CancelledTasks(scripts, time);
	}

	Forwarded forward(String queue) {
		List<Object> answer = forward(queue, false);
		if (answer.isEmpty()) {
			this.cancelled.settle(queue, "");
			answer = forward(queue, true);
		}
		this.broken.removed(queue, (List<?>) answer.get(3));
		String lowest = Text.of(answer.get(2));
		return new Forwarded(((Long) answer.get(0)).intValue(), (Long) answer.get(1) == 1,
				lowest.isEmpty() ? null : Text.instant(lowest), Text.ofNanos(answer.get(4)));
	}

	private List<Object> forward(String queue, boolean settled) {
		Keys keys = Keys.of(queue);
		return this.broken.telling(queue,
				() -> this.scripts.runList(LuaScript.FORWARD, Text.queue(queue),
						List.of(keys.scheduled(), keys.retry(), keys.pending(), keys.groups(), keys.cancelled()),
						this.time.argument(), keys.prefix(), BATCH, settled ? 1 : 0));
	}

	int deleteExpired(String queue, int limit) {
		Keys keys = Keys.of(queue);
		List<Object> answer = this.broken.telling(queue,
				() -> this.scripts.runList(LuaScript.DELETE_EXPIRED, Text.queue(queue),
						List.of(keys.completed(), keys.deleted()), this.time.argument(), keys.taskPrefix(), limit));
		this.broken.removed(queue, (List<?>) answer.get(1));
		if ((Long) answer.get(2) == 1) {
			new DeletedTasks(this.scripts, queue).finish(DELETED_SLICES);
		}
		return ((Long) answer.get(0)).intValue();
	}

}
