package io.asynq.broker.redis;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

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

	/** How far the noted groups of each queue were looked at. */
	private final Map<String, Integer> offsets = new ConcurrentHashMap<>();

	RedisGroupKeeper(ScriptRunner scripts, Clock clock) {
		this.scripts = scripts;
		this.clock = clock;
	}

	@Override
	public Relisted relist(String queue) {
		Keys keys = Keys.of(queue);
		Instant now = this.clock.instant();
		int from = this.offsets.getOrDefault(queue, 0);
		int[] answer = this.scripts.runCodes(LuaScript.RELIST_GROUPS, Text.queue(queue),
				List.of(keys.groups(), keys.aggregationSets(), keys.groupedLater()),
				List.of(Text.seconds(now), keys.groupPrefix(), Text.seconds(now.minus(REMEMBERED)), BATCH, from));
		if (answer[0] == -2) {
			throw new BrokerException("Groups of queue '" + queue + "' cannot be kept: " + keys.groups() + " or "
					+ keys.aggregationSets() + " has the wrong type in Redis; rename or delete that key", null);
		}
		// Those that stay are passed over next time, until there are none left
		this.offsets.put(queue, (answer[2] == BATCH) ? from + BATCH : 0);
		return new Relisted(answer[0], answer[1]);
	}

}
