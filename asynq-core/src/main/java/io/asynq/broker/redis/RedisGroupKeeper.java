package io.asynq.broker.redis;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

import io.asynq.BrokerException;
import io.asynq.broker.GroupKeeper;

/**
 * Makes groups visible again (protocol 11.1 #3). What is noted is walked through with a
 * cursor, because notes come and go meanwhile, and ranks would shift.
 */
final class RedisGroupKeeper implements GroupKeeper {

	/** To look at a note takes two or three commands. */
	private static final int NOTES_PER_CALL = 500;

	/** To give a set back may mean to copy its tasks. */
	private static final int SETS_PER_CALL = 100;

	/** What is beyond has its turn in the next pass. */
	private static final int MOST_CALLS = 100;

	/** By then somebody has given the set back: this server does, if no other. */
	private static final Duration REMEMBERED = Duration.ofMinutes(1);

	private final ScriptRunner scripts;

	private final ScriptTime time;

	/** Where each walk goes on. */
	private final Map<Walk, String> cursors = new ConcurrentHashMap<>();

	RedisGroupKeeper(ScriptRunner scripts, ScriptTime time) {
		this.scripts = scripts;
		this.time = time;
	}

	@Override
	public Relisted relist(String queue) {
		Keys keys = Keys.of(queue);
		int sets = giveBack(queue, keys);
		walk(new Walk(queue, LuaScript.NOTE_STAGED), keys, List.of(keys.aggregationSets(), keys.notedGroups()));
		int groups = walk(new Walk(queue, LuaScript.RELIST_GROUPS), keys, List.of(keys.groups(), keys.notedGroups()),
				this.time.argument(), REMEMBERED.toSeconds());
		return new Relisted(groups, sets);
	}

	private int giveBack(String queue, Keys keys) {
		int givenBack = 0;
		for (int call = 0; call < MOST_CALLS; call++) {
			int[] answer = this.scripts.runCodes(LuaScript.GIVE_BACK_EXPIRED, Text.queue(queue),
					List.of(keys.groups(), keys.aggregationSets()),
					List.of(this.time.argument(), keys.groupPrefix(), SETS_PER_CALL));
			if (answer[0] == -2) {
				throw wrongType(queue, keys);
			}
			givenBack += answer[1];
			if (answer[0] < SETS_PER_CALL) {
				break;
			}
		}
		return givenBack;
	}

	private int walk(Walk walk, Keys keys, List<String> names, Object... more) {
		String cursor = this.cursors.getOrDefault(walk, "0");
		int changed = 0;
		int calls = 0;
		do {
			List<Object> args = new ArrayList<>(List.of(cursor, keys.groupPrefix(), NOTES_PER_CALL));
			args.addAll(List.of(more));
			List<Object> answer = this.scripts.runList(walk.script(), Text.queue(walk.queue()), names, args.toArray());
			cursor = Text.of(answer.get(0));
			if (cursor.equals("-2")) {
				throw wrongType(walk.queue(), keys);
			}
			changed += ((Long) answer.get(1)).intValue();
			calls++;
		}
		while (!cursor.equals("0") && calls < MOST_CALLS);
		this.cursors.put(walk, cursor);
		return changed;
	}

	private static BrokerException wrongType(String queue, Keys keys) {
		return new BrokerException("Groups of queue '" + queue + "' cannot be kept: " + keys.groups() + " or "
				+ keys.aggregationSets() + " has the wrong type in Redis; rename or delete that key", null);
	}

	/**
	 * A walk through what a queue has noted.
	 */
	private record Walk(String queue, LuaScript script) {
	}

}
