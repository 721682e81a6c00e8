package io.asynq.internal.inspect;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;

import io.asynq.inspect.Inconsistency;
import io.asynq.internal.redis.Keys;
import io.asynq.internal.redis.LuaScript;
import io.asynq.internal.redis.ScriptRunner;
import io.asynq.internal.redis.ScriptTime;
import io.asynq.internal.redis.Text;
import org.jspecify.annotations.Nullable;

final class ConsistencyCheck {

	private final ScriptRunner scripts;

	private final ScriptTime time;

	ConsistencyCheck(ScriptRunner scripts, ScriptTime time) {
		this.scripts = scripts;
		this.time = time;
	}

	@Nullable String check(String queue, @Nullable String cursor, int limit, Consumer<Inconsistency> found) {
		WalkPosition next = new ConsistencyWalk(this.scripts, queue, new Budget(limit), found)
			.run(WalkPosition.of(cursor));
		return next.isEnd() ? null : next.toString();
	}

	boolean repair(Inconsistency inconsistency) {
		String queue = inconsistency.queue();
		Keys keys = Keys.of(queue);
		return switch (inconsistency.kind()) {
			case QUEUE_NOT_LISTED ->
				this.scripts.runLong(LuaScript.LIST, Text.queue(queue), List.of(Keys.QUEUES), "", queue) == 1;
			case WRONG_TYPE -> setAside(keys, inconsistency.id());
			case GROUP_NOT_LISTED, GROUP_WITHOUT_TASKS, STAGED_SET_FORGOTTEN -> repairGroup(keys, inconsistency);
			case LOCK_WITHOUT_TASK -> this.scripts.runLong(LuaScript.REPAIR_LOCK, Text.queue(queue),
					List.of(keys.prefix() + inconsistency.id()), keys.taskPrefix()) == 1;
			default -> repairTask(keys, inconsistency);
		};
	}

	private boolean repairTask(Keys keys, Inconsistency inconsistency) {
		return this.scripts.runLong(LuaScript.REPAIR_TASK, Text.queue(inconsistency.queue()), List.of(keys.active()),
				keys.prefix(), keys.ownPrefix(), inconsistency.id(),
				inconsistency.kind().name().toLowerCase(Locale.ROOT), this.time.argument(), inconsistency.place()) == 1;
	}

	private boolean repairGroup(Keys keys, Inconsistency inconsistency) {
		List<String> names = new ArrayList<>(
				List.of(keys.groups(), keys.group(inconsistency.id()), keys.aggregationSets()));
		if (!inconsistency.place().isEmpty()) {
			names.add(keys.prefix() + inconsistency.place());
		}
		return this.scripts.runLong(LuaScript.REPAIR_GROUP, Text.queue(inconsistency.queue()), names, keys.prefix(),
				keys.ownPrefix(), inconsistency.id(), inconsistency.place()) == 1;
	}

	private boolean setAside(Keys keys, String suffix) {
		String key = keys.prefix() + suffix;
		return this.scripts.run("RENAMENX", "key " + key, (template) -> Boolean.TRUE.equals(template.hasKey(key))
				&& Boolean.TRUE.equals(template.renameIfAbsent(key, keys.setAside(suffix))));
	}

}
