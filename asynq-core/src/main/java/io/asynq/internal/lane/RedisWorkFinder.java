package io.asynq.internal.lane;

import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import io.asynq.internal.redis.Keys;
import io.asynq.internal.redis.LuaScript;
import io.asynq.internal.redis.ScriptRunner;
import io.asynq.internal.redis.ScriptTime;
import io.asynq.internal.redis.Text;

/** Uses one script, which on a cluster could read queues of one slot only. */
public final class RedisWorkFinder implements WorkFinder {

	/** Bounds for how long one look keeps Redis busy. */
	private static final int AT_ONCE = 256;

	private final ScriptRunner scripts;

	private final ScriptTime time;

	public RedisWorkFinder(ScriptRunner scripts, ScriptTime time) {
		this.scripts = scripts;
		this.time = time;
	}

	@Override
	public Found find(Kind kind, Collection<String> queues) {
		List<String> all = List.copyOf(queues);
		Map<String, Instant> next = new HashMap<>();
		Found first = null;
		for (int from = 0; from < all.size(); from += AT_ONCE) {
			List<String> batch = all.subList(from, Math.min(from + AT_ONCE, all.size()));
			long sentNanos = System.nanoTime();
			Instant now = look(kind, batch, next);
			first = (first != null) ? first : new Found(next, now, sentNanos, System.nanoTime());
		}
		return (first != null) ? first : new Found(next, Instant.EPOCH, 0, 0);
	}

	private Instant look(Kind kind, List<String> queues, Map<String, Instant> next) {
		List<List<String>> keys = queues.stream().map((queue) -> keys(kind, Keys.of(queue))).toList();
		List<Object> answer = this.scripts.runList(LuaScript.READ_WORK, queues.size() + " queues",
				keys.stream().flatMap(List::stream).toList(), this.time.argument(), queues.size(), keys.get(0).size(),
				sorted(kind));
		for (int i = 0; i < queues.size(); i++) {
			String score = Text.of(answer.get(i + 1));
			if (!score.isEmpty()) {
				next.put(queues.get(i), Text.instant(score));
			}
		}
		return Text.ofNanos(answer.get(0));
	}

	/** Sorted sets by due time, and then keys that need attention if they exist. */
	private static List<String> keys(Kind kind, Keys keys) {
		return switch (kind) {
			case FORWARD -> List.of(keys.scheduled(), keys.retry(), keys.cancelled());
			case RECOVER -> List.of(keys.lease(), keys.active());
			case RECOVER_AND_SWEEP -> List.of(keys.lease(), keys.active(), keys.groups(), keys.aggregationSets(),
					keys.notedGroups(), keys.aggregated(), keys.aggregators());
			case CLEAN -> List.of(keys.completed(), keys.deleted());
			case AGGREGATE -> List.of(keys.groups());
			case UNHANDLED -> List.of(keys.unhandled());
			case LIMITS -> List.of(keys.waiting());
		};
	}

	private static int sorted(Kind kind) {
		return switch (kind) {
			case FORWARD -> 2;
			case CLEAN -> 1;
			case RECOVER, RECOVER_AND_SWEEP, AGGREGATE, UNHANDLED, LIMITS -> 0;
		};
	}

}
