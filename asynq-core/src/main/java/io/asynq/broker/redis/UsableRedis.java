package io.asynq.broker.redis;

import java.util.List;

import io.asynq.BrokerException;

/**
 * Whether this Redis is one that asynq can work with: new enough, and not a part of a
 * cluster that is taken for all of it. Such a Redis answers PING, and much else. Safe for
 * concurrent use.
 */
final class UsableRedis {

	private final ScriptRunner scripts;

	private volatile boolean known;

	UsableRedis(ScriptRunner scripts) {
		this.scripts = scripts;
	}

	/**
	 * Asks until Redis was found usable once.
	 */
	void requireOnce() {
		if (!this.known) {
			require();
		}
	}

	/**
	 * Asks.
	 * @throws BrokerException if it cannot be used, with the way out
	 */
	void require() {
		for (String key : Keys.CHECKS) {
			if (this.scripts.runLong(LuaScript.CHECK_USABLE, "a look whether it is usable", List.of(key)) == 0) {
				throw new BrokerException("This Redis cannot be used: " + Advice.TOO_OLD, null);
			}
		}
		this.known = true;
	}

}
