package io.asynq.broker.redis;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Counts the tasks of queues with very many groups: a slice of the groups per call, so
 * that Redis is never blocked for long, and at most every thirty seconds.
 */
final class GroupSizes {

	/** Up to so many groups are counted with everything else in one call. */
	static final int FEW = 1000;

	private static final int SLICE = 500;

	private static final Duration MAX_AGE = Duration.ofSeconds(30);

	private final ScriptRunner scripts;

	private final Clock clock;

	private final Map<String, Sum> sums = new ConcurrentHashMap<>();

	GroupSizes(ScriptRunner scripts, Clock clock) {
		this.scripts = scripts;
		this.clock = clock;
	}

	long sum(String queue) {
		Instant now = this.clock.instant();
		Sum known = this.sums.get(queue);
		if (known == null || known.at().plus(MAX_AGE).isBefore(now)) {
			known = new Sum(count(queue), now);
			this.sums.put(queue, known);
		}
		return known.tasks();
	}

	private long count(String queue) {
		Keys keys = Keys.of(queue);
		String cursor = "0";
		long tasks = 0;
		do {
			List<Object> answer = this.scripts.runList(LuaScript.READ_GROUP_SIZES, Text.queue(queue),
					List.of(keys.groups()), cursor, keys.groupPrefix(), SLICE);
			cursor = Text.of(answer.get(0));
			tasks += (Long) answer.get(1);
		}
		while (!cursor.equals("0"));
		return tasks;
	}

	private record Sum(long tasks, Instant at) {
	}

}
