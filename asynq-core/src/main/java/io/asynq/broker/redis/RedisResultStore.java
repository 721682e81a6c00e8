package io.asynq.broker.redis;

import java.util.List;

import io.asynq.broker.Lease;
import io.asynq.broker.ResultStore;

/**
 * Writes results into task hashes that exist.
 */
final class RedisResultStore implements ResultStore {

	private final ScriptRunner scripts;

	RedisResultStore(ScriptRunner scripts) {
		this.scripts = scripts;
	}

	@Override
	public boolean write(Lease lease, byte[] result) {
		Keys keys = Keys.of(lease.queue());
		return this.scripts.runLong(LuaScript.WRITE_RESULT,
				"task '" + lease.taskId() + "' of queue '" + lease.queue() + "'",
				List.of(keys.task(lease.taskId()), keys.lease()), lease.taskId(), lease.fence(), result) == 1;
	}

}
