package io.asynq.internal.group;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

import io.asynq.internal.redis.Batches;
import io.asynq.internal.redis.Keys;
import io.asynq.internal.redis.LuaScript;
import io.asynq.internal.redis.ScriptRunner;
import io.asynq.internal.redis.ScriptTime;
import io.asynq.internal.redis.Text;

/** Walks with a cursor, because ranks would shift while entries come and go. */
public final class RedisGroupKeeper implements GroupKeeper {

	/** To look at a note takes two or three commands. */
	private static final int NOTES_PER_CALL = 500;

	/** To give a set back may mean to copy its tasks. */
	private static final int SETS_PER_CALL = 100;

	/** What is beyond has its turn in the next pass. */
	private static final int MOST_CALLS = 100;

	private static final int LEFT_OVER_SETS = 100;

	/** By then somebody has given the set back: this server does, if no other. */
	private static final Duration REMEMBERED = Duration.ofMinutes(1);

	private final ScriptRunner scripts;

	private final ScriptTime time;

	private final StagedTasks tasks;

	private final Aggregators aggregators;

	private final Map<Pass, String> cursors = new ConcurrentHashMap<>();

	public RedisGroupKeeper(ScriptRunner scripts, ScriptTime time, StagedTasks tasks) {
		this.scripts = scripts;
		this.time = time;
		this.tasks = tasks;
		this.aggregators = new Aggregators(scripts, time);
	}

	@Override
	public Relisted relist(String queue) {
		Keys keys = Keys.of(queue);
		int sets = giveBack(queue, keys);
		walk(new Pass(queue, LuaScript.NOTE_STAGED), keys, List.of(keys.aggregationSets(), keys.notedGroups()));
		int groups = walk(new Pass(queue, LuaScript.RELIST_GROUPS), keys, List.of(keys.groups(), keys.notedGroups()),
				this.time.argument(), REMEMBERED.toSeconds());
		return new Relisted(groups, sets);
	}

	@Override
	public int deleteLeftOver(String queue) {
		Keys keys = Keys.of(queue);
		Set<byte[]> sets = this.scripts.run("ZRANGE", Text.queue(queue),
				(template) -> template.opsForZSet().range(keys.aggregated(), 0, LEFT_OVER_SETS - 1));
		int deleted = 0;
		for (byte[] set : (sets != null) ? sets : Set.<byte[]>of()) {
			deleted += this.tasks.deleteAll(queue, Text.of(set));
		}
		return deleted;
	}

	@Override
	public int countCrashed(String queue) {
		return this.aggregators.countCrashed(queue);
	}

	private int giveBack(String queue, Keys keys) {
		int givenBack = 0;
		for (int call = 0; call < MOST_CALLS; call++) {
			int[] answer = this.scripts.runCodes(LuaScript.GIVE_BACK_EXPIRED, Text.queue(queue),
					List.of(keys.groups(), keys.aggregationSets()),
					List.of(this.time.argument(), keys.groupPrefix(), SETS_PER_CALL));
			givenBack += answer[1];
			if (answer[0] < SETS_PER_CALL) {
				break;
			}
		}
		return givenBack;
	}

	private int walk(Pass pass, Keys keys, List<String> names, Object... more) {
		int[] changed = { 0 };
		this.cursors.put(pass, Batches.walk(this.cursors.getOrDefault(pass, "0"), MOST_CALLS, (cursor) -> {
			List<Object> args = new ArrayList<>(List.of(cursor, keys.groupPrefix(), NOTES_PER_CALL));
			args.addAll(List.of(more));
			return this.scripts.runList(pass.script(), Text.queue(pass.queue()), names, args.toArray());
		}, (slice) -> changed[0] += ((Long) slice.get(0)).intValue()));
		return changed[0];
	}

	private record Pass(String queue, LuaScript script) {
	}

}
