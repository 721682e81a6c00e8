package io.asynq.broker.redis.limit;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

import io.asynq.broker.limit.LimitClaim;
import io.asynq.broker.limit.LimitClass;
import io.asynq.broker.redis.Keys;
import io.asynq.broker.redis.LuaScript;
import io.asynq.broker.redis.ScriptRunner;
import io.asynq.broker.redis.ScriptTime;
import io.asynq.broker.redis.Text;

/**
 * Calls the scripts that work on tokens.
 */
final class LimitScripts {

	private final ScriptRunner scripts;

	private final ScriptTime time;

	LimitScripts(ScriptRunner scripts, ScriptTime time) {
		this.scripts = scripts;
		this.time = time;
	}

	/** Calls a script about tasks. */
	List<Object> about(LuaScript script, Collection<LimitClaim> claims, long millis) {
		List<Object> args = args(millis);
		for (LimitClaim claim : claims) {
			args.add(claim.limits().text());
			args.add(claim.taskId());
			args.add(claim.attempt());
		}
		return this.scripts.runList(script, claims.size() + " limited tasks", List.of(Keys.LIMIT_RULES),
				args.toArray());
	}

	/** Calls a script that reserves tokens for waiting tasks. */
	List<Turn> turns(LuaScript script, List<?> about, long millis) {
		List<Object> args = args(millis);
		args.addAll(about);
		return turns(this.scripts.runList(script, "limits", List.of(Keys.LIMIT_RULES), args.toArray()));
	}

	static List<Turn> turns(List<Object> answer) {
		List<Turn> turns = new ArrayList<>();
		for (int i = 0; i < answer.size(); i += 2) {
			turns.add(new Turn(LimitClass.of(Text.of(answer.get(i))), ((Long) answer.get(i + 1)).intValue()));
		}
		return turns;
	}

	private List<Object> args(long millis) {
		return new ArrayList<>(List.of(this.time.argument(), Keys.LIMIT_PREFIX, millis));
	}

	/**
	 * Tokens that are reserved for waiting tasks.
	 */
	record Turn(LimitClass limits, int tasks) {
	}

}
