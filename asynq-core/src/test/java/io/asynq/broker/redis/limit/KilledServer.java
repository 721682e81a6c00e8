package io.asynq.broker.redis.limit;

import java.util.Collection;

import io.asynq.broker.limit.LimitClaim;
import io.asynq.broker.redis.LuaScript;
import io.asynq.broker.redis.ScriptRunner;
import io.asynq.broker.redis.ScriptTime;

/**
 * What a server does up to the moment at which it is killed.
 */
public final class KilledServer {

	private static final long RESERVATION = 10_000;

	private KilledServer() {
	}

	/**
	 * Gives tokens back and reserves them for waiting tasks, but makes no task pending.
	 */
	public static void release(ScriptRunner scripts, ScriptTime time, Collection<LimitClaim> claims) {
		new LimitScripts(scripts, time).about(LuaScript.RELEASE_TOKENS, claims, RESERVATION);
	}

}
