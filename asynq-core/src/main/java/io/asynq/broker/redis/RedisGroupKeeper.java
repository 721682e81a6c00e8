package io.asynq.broker.redis;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

import io.asynq.BrokerException;
import io.asynq.broker.GroupKeeper;

/**
 * Makes groups visible again (protocol 11.1 #3).
 */
final class RedisGroupKeeper implements GroupKeeper {

	private static final int BATCH = 100;

	/** By then somebody has forwarded what was due: this server does, if no other. */
	private static final Duration REMEMBERED = Duration.ofMinutes(1);

	private final ScriptRunner scripts;

	private final Clock clock;

	RedisGroupKeeper(ScriptRunner scripts, Clock clock) {
		this.scripts = scripts;
		this.clock = clock;
	}

	@Override
	public Relisted relist(String queue) {
		Keys keys = Keys.of(queue);
		Instant now = this.clock.instant();
		int[] answer = this.scripts.runCodes(LuaScript.RELIST_GROUPS, Text.queue(queue),
				List.of(keys.groups(), keys.aggregationSets(), keys.groupedLater()),
				List.of(Text.seconds(now), keys.groupPrefix(), Text.seconds(now.minus(REMEMBERED)), BATCH));
		if (answer[0] == -2) {
			throw new BrokerException("Groups of queue '" + queue + "' cannot be kept: " + keys.groups() + " or "
					+ keys.aggregationSets() + " has the wrong type in Redis; rename or delete that key", null);
		}
		return new Relisted(answer[0], answer[1]);
	}

}
