package io.asynq.broker.redis;

import java.math.BigDecimal;
import java.time.Clock;
import java.util.List;

import io.asynq.BrokerException;
import io.asynq.broker.SemaphoreStore;

/**
 * Semaphores as sorted sets of task ids by the end of their tokens. Go writes whole
 * seconds; here a fraction is taken off that tells attempts apart, even those of a task
 * with a fixed deadline, which end at the same second. Go looks at no fraction, and as it
 * compares with whole seconds, the token ends when it would without.
 */
final class RedisSemaphoreStore implements SemaphoreStore {

	private static final int WRONG_TYPE = -2;

	/** As fine as a score can be until the year 2242. */
	private static final int FRACTIONS = 1_000_000;

	private final ScriptRunner scripts;

	private final Clock clock;

	RedisSemaphoreStore(ScriptRunner scripts, Clock clock) {
		this.scripts = scripts;
		this.clock = clock;
	}

	@Override
	public boolean acquire(String scope, int tokens, Token token) {
		return run(LuaScript.ACQUIRE_TOKEN, scope, Text.seconds(this.clock.instant()), tokens, score(token),
				token.taskId());
	}

	@Override
	public boolean release(String scope, Token token) {
		return run(LuaScript.RELEASE_TOKEN, scope, score(token), token.taskId());
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

	private static String score(Token token) {
		int fraction = Math.floorMod(token.attempt().hashCode(), FRACTIONS);
		return BigDecimal.valueOf(Text.seconds(token.end())).subtract(BigDecimal.valueOf(fraction, 6)).toPlainString();
	}

}
