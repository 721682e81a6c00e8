package io.asynq.broker.redis.queue;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;

import io.asynq.broker.redis.Keys;
import io.asynq.broker.redis.LuaScript;
import io.asynq.broker.redis.ScriptRunner;
import io.asynq.broker.redis.ScriptTime;
import io.asynq.broker.redis.Text;
import io.asynq.info.Inconsistency;
import io.asynq.info.Inconsistency.Kind;

/**
 * Checks containers first, then keys, because a task in no container is found only by its
 * key.
 */
final class ConsistencyCheck {

	private final ScriptRunner scripts;

	private final ScriptTime time;

	ConsistencyCheck(ScriptRunner scripts, ScriptTime time) {
		this.scripts = scripts;
		this.time = time;
	}

	void check(String queue, Consumer<Inconsistency> found) {
		Keys keys = Keys.of(queue);
		SuspectIds suspects = new SuspectIds(this.scripts, queue, found);
		ContainerCheck containers = new ContainerCheck(this.scripts, queue, suspects, found);
		PendingIds pending = containers.check();
		long seen = new KeyCheck(this.scripts, queue, suspects, found).check(pending);
		suspects.confirm();
		boolean listed = this.scripts.run("SISMEMBER", Text.queue(queue),
				(template) -> Boolean.TRUE.equals(template.opsForSet().isMember(Keys.QUEUES, Text.utf8(queue))));
		if (seen > 0 && !listed) {
			found.accept(new Inconsistency(Kind.QUEUE_NOT_LISTED, queue, queue,
					"has keys such as " + keys.prefix() + "…, but is not in " + Keys.QUEUES, ""));
		}
	}

	boolean repair(Inconsistency inconsistency) {
		String queue = inconsistency.queue();
		Keys keys = Keys.of(queue);
		return switch (inconsistency.kind()) {
			case QUEUE_NOT_LISTED -> this.scripts.run("SADD", Text.queue(queue),
					(template) -> template.opsForSet().add(Keys.QUEUES, Text.utf8(queue)) == 1);
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
