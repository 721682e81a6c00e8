package io.asynq.internal.worker;

import java.util.ArrayList;
import java.util.List;

import io.asynq.internal.redis.Keys;
import io.asynq.internal.redis.LuaScript;
import io.asynq.internal.redis.ScriptRunner;
import io.asynq.internal.redis.ScriptTime;
import io.asynq.internal.redis.Statistics;
import io.asynq.internal.redis.Text;

/** Go servers let tasks wait that were cancelled while they were active. */
final class CancelledTasks {

	private final ScriptRunner scripts;

	private final ScriptTime time;

	CancelledTasks(ScriptRunner scripts, ScriptTime time) {
		this.scripts = scripts;
		this.time = time;
	}

	void settle(String queue, String id) {
		Keys keys = Keys.of(queue);
		String cursor = "0";
		do {
			List<Object> args = new ArrayList<>(List.of(keys.prefix(), this.time.argument()));
			args.addAll(Statistics.archiveLimits());
			args.addAll(List.of(cursor, id));
			List<Object> answer = this.scripts.runList(LuaScript.SETTLE_CANCELLED, Text.queue(queue),
					List.of(keys.cancelled(), keys.archived()), args.toArray());
			cursor = Text.of(answer.get(0));
		}
		while (!cursor.equals("0"));
	}

}
