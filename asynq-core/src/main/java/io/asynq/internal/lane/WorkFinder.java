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
import org.jspecify.annotations.Nullable;

/**
 * Queues without work must cost next to nothing; one with invalid keys has work, so that
 * whoever does it finds them.
 */
public final class WorkFinder {

	/** Bounds for how long one look keeps Redis busy. */
	private static final int AT_ONCE = 256;

	private final ScriptRunner scripts;

	private final ScriptTime time;

	public WorkFinder(ScriptRunner scripts, ScriptTime time) {
		this.scripts = scripts;
		this.time = time;
	}

	/** All queues must be on one Redis. */
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

	public enum Kind {

		/** Also tasks that were cancelled. */
		FORWARD,

		/** Active tasks, which may have lost their lease. */
		RECOVER,

		/** Also what aggregations may have left behind. */
		RECOVER_AND_SWEEP,

		/** Also interrupted deletions. */
		CLEAN,

		AGGREGATE,

		UNHANDLED,

		LIMITS

	}

	/** {@code now} is by Redis's clock, which due times go by. */
	public record Found(Map<String, Instant> next, Instant now, long sentNanos, long receivedNanos) {

		public boolean isDue(String queue) {
			Instant due = this.next.get(queue);
			return due != null && !due.isAfter(this.now);
		}

		public @Nullable Instant next(String queue) {
			return this.next.get(queue);
		}

	}

}
