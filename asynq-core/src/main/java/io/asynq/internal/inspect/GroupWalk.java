package io.asynq.internal.inspect;

import java.util.List;
import java.util.Locale;
import java.util.function.ObjLongConsumer;

import io.asynq.internal.redis.Batches;
import io.asynq.internal.redis.Keys;
import io.asynq.internal.redis.LuaScript;
import io.asynq.internal.redis.ScriptRunner;
import io.asynq.internal.redis.Text;

/** Groups that come or go meanwhile may be missed, and a group may appear twice. */
public final class GroupWalk {

	public static final int SLICE = 500;

	private final ScriptRunner scripts;

	private final String queue;

	public GroupWalk(ScriptRunner scripts, String queue) {
		this.scripts = scripts;
		this.queue = queue;
	}

	/** Returns the tasks of all groups, including those not reported. */
	long tell(Which which, ObjLongConsumer<String> group) {
		long[] tasks = { 0 };
		Batches.walk((cursor) -> read(which, cursor, SLICE), (slice) -> tasks[0] += tell(slice, group));
		return tasks[0];
	}

	/** The cursor is "0" at the beginning and at the end. */
	public String tellSome(Which which, String cursor, int size, ObjLongConsumer<String> group) {
		List<Object> answer = read(which, cursor, size);
		tell(answer.subList(1, answer.size()), group);
		return Text.of(answer.get(0));
	}

	private List<Object> read(Which which, String cursor, int size) {
		Keys keys = Keys.of(this.queue);
		return this.scripts.runList(LuaScript.READ_GROUPS, Text.queue(this.queue), List.of(keys.groups()), cursor,
				keys.groupPrefix(), size, which.name().toLowerCase(Locale.ROOT));
	}

	private static long tell(List<Object> slice, ObjLongConsumer<String> group) {
		for (int i = 1; i < slice.size(); i += 2) {
			group.accept(Text.of(slice.get(i)), (Long) slice.get(i + 1));
		}
		return (Long) slice.get(0);
	}

	public enum Which {

		ALL, EMPTY, NONE

	}

}
