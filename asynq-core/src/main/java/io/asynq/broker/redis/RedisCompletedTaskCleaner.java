package io.asynq.broker.redis;

import java.util.List;

import io.asynq.BrokerException;
import io.asynq.broker.CompletedTaskCleaner;

/**
 * Deletes completed tasks whose retention is over (protocol 6.19), and tasks that a
 * deletion of the queue has left because it was interrupted.
 */
final class RedisCompletedTaskCleaner implements CompletedTaskCleaner {

	/** Some ten thousand tasks; the rest goes with the next pass. */
	private static final int DELETED_SLICES = 20;

	private final ScriptRunner scripts;

	private final ScriptTime time;

	private final BrokenTaskHandler broken;

	RedisCompletedTaskCleaner(ScriptRunner scripts, ScriptTime time, BrokenTaskHandler broken) {
		this.scripts = scripts;
		this.time = time;
		this.broken = broken;
	}

	@Override
	public int deleteExpired(String queue, int limit) {
		Keys keys = Keys.of(queue);
		List<Object> answer = this.scripts.runList(LuaScript.DELETE_EXPIRED, Text.queue(queue),
				List.of(keys.completed(), keys.deleted()), this.time.argument(), keys.taskPrefix(), limit);
		long removed = (Long) answer.get(0);
		if (removed < 0) {
			this.broken.unusable(queue, keys.completed());
			throw new BrokerException("Completed tasks of queue '" + queue + "' cannot be deleted: " + keys.completed()
					+ " is no sorted set in Redis; rename or delete that key", null);
		}
		this.broken.removed(queue, (List<?>) answer.get(1));
		if ((Long) answer.get(2) == 1) {
			new DeletedTasks(this.scripts, queue).finish(DELETED_SLICES);
		}
		return (int) removed;
	}

}
