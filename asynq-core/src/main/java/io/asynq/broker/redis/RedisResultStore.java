package io.asynq.broker.redis;

import java.util.List;

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
	public boolean write(String queue, String id, byte[] result) {
		return this.scripts.runLong(LuaScript.WRITE_RESULT, "task '" + id + "' of queue '" + queue + "'",
				List.of(Keys.of(queue).task(id)), result) == 1;
	}

}
