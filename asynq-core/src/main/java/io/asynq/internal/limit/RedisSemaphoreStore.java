package io.asynq.internal.limit;

import java.util.List;

import io.asynq.internal.redis.Keys;
import io.asynq.internal.redis.LuaScript;
import io.asynq.internal.redis.ScriptRunner;
import io.asynq.internal.redis.ScriptTime;

/** Sorted sets of task ids, scored by the end of their tokens. */
public final class RedisSemaphoreStore implements SemaphoreStore {

	private final ScriptRunner scripts;

	private final ScriptTime time;

	public RedisSemaphoreStore(ScriptRunner scripts, ScriptTime time) {
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
		return this.scripts.runLong(script, "semaphore '" + scope + "'",
				List.of(Keys.semaphore(scope), Keys.semaphoreHolder(scope, token.taskId())), args) == 1;
	}

}
