package io.asynq.internal.inspect;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.BiConsumer;

import io.asynq.TaskState;
import io.asynq.internal.redis.Batches;
import io.asynq.internal.redis.DeletedTasks;
import io.asynq.internal.redis.Keys;
import io.asynq.internal.redis.LuaScript;
import io.asynq.internal.redis.ScriptRunner;
import io.asynq.internal.redis.Text;

/**
 * Puts the tasks out of reach first, atomically and only if none is active, so that none
 * is started; tasks enqueued meanwhile go into new containers and stay.
 */
final class QueueDeletion {

	private static final int SLICE = 500;

	private static final int FORGOTTEN_AT_ONCE = 1000;

	private static final List<TaskState> STATES = List.of(TaskState.PENDING, TaskState.SCHEDULED, TaskState.RETRY,
			TaskState.ARCHIVED, TaskState.COMPLETED, TaskState.ACTIVE);

	private final ScriptRunner scripts;

	private final String queue;

	private final Keys keys;

	private final boolean force;

	private final DeletedTasks deleted;

	QueueDeletion(ScriptRunner scripts, String queue, boolean force) {
		this.scripts = scripts;
		this.queue = queue;
		this.keys = Keys.of(queue);
		this.force = force;
		this.deleted = new DeletedTasks(scripts, queue);
	}

	Map<String, Long> run() {
		Map<String, Long> inTheWay = new LinkedHashMap<>();
		if (!this.force) {
			scan(this.keys.prefix(), false, (group, size) -> inTheWay.merge("aggregating", size, Long::sum));
		}
		begin(inTheWay.isEmpty(), inTheWay);
		if (inTheWay.isEmpty()) {
			this.deleted.finish(Integer.MAX_VALUE);
			if (this.force) {
				// Each group once: those that come meanwhile stay, so that this
				// terminates
				scan(this.keys.prefix(), false, (group, size) -> deleteGroup(group));
			}
			scan(this.keys.ownPrefix(), true, (container, size) -> this.deleted.drain(container));
			scan(this.keys.prefix(), true, (group, size) -> {
			});
			forgetEmptyGroups();
			unlist();
		}
		return inTheWay;
	}

	private void begin(boolean allowed, Map<String, Long> inTheWay) {
		List<Object> answer = this.scripts.runList(LuaScript.DELETE_QUEUE, Text.queue(this.queue),
				this.keys.containers(STATES, this.keys.lease(), this.keys.paused(), this.keys.deleted()),
				this.force ? "1" : allowed ? "0" : "-", this.deleted.prefix() + UUID.randomUUID() + ":");
		if ((Long) answer.get(STATES.size()) == 1) {
			return;
		}
		for (int i = 0; i < STATES.size(); i++) {
			long size = (Long) answer.get(i);
			if (size > 0 && (!this.force || STATES.get(i) == TaskState.ACTIVE)) {
				inTheWay.put(STATES.get(i).wireName(), size);
			}
		}
	}

	private void scan(String prefix, boolean delete, BiConsumer<String, Long> container) {
		Batches.walk(
				(cursor) -> this.scripts.runList(LuaScript.SWEEP, Text.queue(this.queue), List.of(this.keys.pending()),
						this.keys.prefix(), this.keys.ownPrefix(), cursor, Keys.pattern(prefix), SLICE, delete ? 1 : 0),
				(slice) -> {
					for (int i = 0; i < slice.size(); i += 2) {
						container.accept(Text.of(slice.get(i)), (Long) slice.get(i + 1));
					}
				});
	}

	private void deleteGroup(String group) {
		String container = this.deleted.prefix() + UUID.randomUUID();
		if (this.scripts.runLong(LuaScript.DELETE_GROUP, Text.queue(this.queue),
				List.of(group, this.keys.groups(), this.keys.aggregationSets(), container, this.keys.deleted()),
				group.substring(this.keys.groupPrefix().length()), this.keys.taskPrefix(), SLICE) == 1) {
			this.deleted.drain(container);
		}
	}

	private void forgetEmptyGroups() {
		new GroupWalk(this.scripts, this.queue).tell(GroupWalk.Which.EMPTY,
				(group, tasks) -> this.scripts.runLong(LuaScript.REPAIR_GROUP, Text.queue(this.queue),
						List.of(this.keys.groups(), this.keys.group(group), this.keys.aggregationSets()),
						this.keys.prefix(), this.keys.ownPrefix(), group, ""));
	}

	private void unlist() {
		byte[] name = Text.utf8(this.queue);
		this.scripts.run("SREM", Text.queue(this.queue), (template) -> template.opsForSet().remove(Keys.QUEUES, name));
		List<Object> answer;
		do {
			answer = this.scripts.runList(LuaScript.FINISH_DELETE, Text.queue(this.queue),
					List.of(this.keys.aggregationSets(), this.keys.pending(), this.keys.active(), this.keys.scheduled(),
							this.keys.retry(), this.keys.archived(), this.keys.completed(), this.keys.groups()));
		}
		while ((Long) answer.get(0) == FORGOTTEN_AT_ONCE);
		if ((Long) answer.get(1) == 1) {
			// A client that enqueued meanwhile may have listed the queue before it was
			// unlisted
			this.scripts.runLong(LuaScript.LIST, Text.queue(this.queue), List.of(Keys.QUEUES), "", name);
		}
	}

}
