package io.asynq.broker.redis;

import java.util.List;

import io.asynq.BrokerException;
import io.asynq.broker.SemaphoreStore;

/**
 * Semaphores as sorted sets of task ids by the end of their tokens.
 */
final class RedisSemaphoreStore implements SemaphoreStore {

	private static final int WRONG_TYPE = -2;

	private final ScriptRunner scripts;

	private final ScriptTime time;

	RedisSemaphoreStore(ScriptRunner scripts, ScriptTime time) {
		this.scripts = scripts;
		this.time = time;
	}

	@Override
	public boolean acquire(String scope, int tokens, Token token) {
		return run(LuaScript.ACQUIRE_TOKEN, scope, token, this.time.argument(), tokens, token.length().toMillis(),
				token.taskId(), token.attempt());
	}

	@Override
	public boolean release(String scope, Token token) {
		return run(LuaScript.RELEASE_TOKEN, scope, token, token.taskId(), token.attempt());
	}

	private boolean run(LuaScript script, String scope, Token token, Object... args) {
		String key = Keys.semaphore(scope);
		long code = this.scripts.runLong(script, "semaphore '" + scope + "'",
				List.of(key, Keys.semaphoreHolder(scope, token.taskId())), args);
		if (code == WRONG_TYPE) {
			throw new BrokerException("The key '" + key + "' of semaphore '" + scope
					+ "' is no sorted set: delete it, or choose another scope", null);
		}
		return code == 1;
	}

}
