package io.asynq.broker.redis;

import java.time.Clock;
import java.util.List;

import io.asynq.BrokerException;
import io.asynq.broker.SemaphoreStore;

/**
 * Semaphores as sorted sets of task ids by the end of their tokens.
 */
final class RedisSemaphoreStore implements SemaphoreStore {

	private static final int WRONG_TYPE = -2;

	private final ScriptRunner scripts;

	private final Clock clock;

	RedisSemaphoreStore(ScriptRunner scripts, Clock clock) {
		this.scripts = scripts;
		this.clock = clock;
	}

	@Override
	public boolean acquire(String scope, int tokens, Token token) {
		return run(LuaScript.ACQUIRE_TOKEN, scope, Text.seconds(this.clock.instant()), tokens,
				Text.seconds(token.end()), token.taskId());
	}

	@Override
	public boolean release(String scope, Token token) {
		return run(LuaScript.RELEASE_TOKEN, scope, Text.seconds(token.end()), token.taskId());
	}

	private boolean run(LuaScript script, String scope, Object... args) {
		String key = Keys.semaphore(scope);
		long code = this.scripts.runLong(script, "semaphore '" + scope + "'", List.of(key), args);
		if (code == WRONG_TYPE) {
			throw new BrokerException("The key '" + key + "' of semaphore '" + scope
					+ "' is no sorted set: delete it, or choose another scope", null);
		}
		return code == 1;
	}

}
