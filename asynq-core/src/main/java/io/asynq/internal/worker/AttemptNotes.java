package io.asynq.internal.worker;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

import io.asynq.internal.redis.Batches;
import io.asynq.internal.redis.Keys;
import io.asynq.internal.redis.LuaScript;
import io.asynq.internal.redis.ScriptRunner;
import io.asynq.internal.redis.ServerIdentity;
import io.asynq.internal.redis.Text;

final class AttemptNotes {

	private final ScriptRunner scripts;

	AttemptNotes(ScriptRunner scripts) {
		this.scripts = scripts;
	}

	Set<LeasedTask> begin(String queue, Collection<LeasedTask> tasks) {
		Keys keys = Keys.of(queue);
		ServerIdentity server = ServerIdentity.ofThisProcess();
		Set<LeasedTask> begun = new HashSet<>();
		for (List<LeasedTask> slice : Batches.of(new ArrayList<>(tasks), (task) -> 128)) {
			List<Object> args = new ArrayList<>(List.of(keys.taskPrefix(), server.host() + ":" + server.pid()));
			for (LeasedTask task : slice) {
				args.add(task.message().id());
				args.add(task.lease().fence());
			}
			int[] codes = this.scripts.runCodes(LuaScript.BEGIN_ATTEMPTS, Text.queue(queue), List.of(keys.lease()),
					args);
			for (int i = 0; i < codes.length; i++) {
				if (codes[i] == 1) {
					begun.add(slice.get(i));
				}
			}
		}
		return begun;
	}

	void note(String queue, Collection<LeasedTask> tasks) {
		Keys keys = Keys.of(queue);
		for (List<LeasedTask> slice : Batches.of(new ArrayList<>(tasks), (task) -> 1024)) {
			List<Object> args = new ArrayList<>(List.of(keys.taskPrefix()));
			for (LeasedTask task : slice) {
				CrashRecord record = task.record();
				args.addAll(List.of(task.message().id(), task.lease().fence(), record.suspect() ? 1 : 0,
						record.crashes(), CrashRecords.deaths(record), record.cutShort()));
			}
			this.scripts.runCodes(LuaScript.NOTE_ATTEMPTS, Text.queue(queue), List.of(keys.lease()), args);
		}
	}

}
