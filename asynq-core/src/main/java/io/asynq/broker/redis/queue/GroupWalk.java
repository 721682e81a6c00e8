package io.asynq.broker.redis.queue;

import java.util.List;
import java.util.Locale;
import java.util.function.ObjLongConsumer;

import io.asynq.broker.redis.Batches;
import io.asynq.broker.redis.Keys;
import io.asynq.broker.redis.LuaScript;
import io.asynq.broker.redis.ScriptRunner;
import io.asynq.broker.redis.Text;

/**
 * Walks through the groups of a queue, a slice per call, so that Redis is never blocked
 * for long. Groups that come or go meanwhile may be missed, and a group may appear twice.
 */
final class GroupWalk {

	private static final int SLICE = 500;

	private final ScriptRunner scripts;

	private final String queue;

	GroupWalk(ScriptRunner scripts, String queue) {
		this.scripts = scripts;
		this.queue = queue;
	}

	/**
	 * Reports groups with their number of tasks.
	 * @return the number of tasks in all groups, including those that were not reported
	 */
	long tell(Which which, ObjLongConsumer<String> group) {
		Keys keys = Keys.of(this.queue);
		long[] tasks = { 0 };
		Batches.walk((cursor) -> this.scripts.runList(LuaScript.READ_GROUPS, Text.queue(this.queue),
				List.of(keys.groups()), cursor, keys.groupPrefix(), SLICE, which.name().toLowerCase(Locale.ROOT)),
				(slice) -> {
					tasks[0] += (Long) slice.get(0);
					for (int i = 1; i < slice.size(); i += 2) {
						group.accept(Text.of(slice.get(i)), (Long) slice.get(i + 1));
					}
				});
		return tasks[0];
	}

	enum Which {

		ALL, EMPTY, NONE

	}

}
