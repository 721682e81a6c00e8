package io.asynq.broker.redis;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;

import org.springframework.data.redis.connection.DataType;

/**
 * Tasks of a queue that a deletion has put out of reach. The queue keeps a note of them
 * until they are gone, so that anybody can finish a deletion that was interrupted.
 */
final class DeletedTasks {

	private static final int SLICE = 500;

	private final ScriptRunner scripts;

	private final String queue;

	private final Keys keys;

	DeletedTasks(ScriptRunner scripts, String queue) {
		this.scripts = scripts;
		this.queue = queue;
		this.keys = Keys.of(queue);
	}

	/**
	 * Returns what the names of all containers out of reach begin with.
	 * @return the prefix
	 */
	String prefix() {
		return this.keys.deleted() + ":";
	}

	/**
	 * Deletes what was noted, up to a number of slices.
	 * @param slices how many slices at most
	 */
	void finish(int slices) {
		int left = slices;
		for (String container : noted()) {
			while (left > 0 && drainSlice(container) == SLICE) {
				left--;
			}
		}
	}

	/**
	 * Deletes the tasks of a container.
	 * @param container its key
	 */
	void drain(String container) {
		while (drainSlice(container) == SLICE) {
			// Goes on
		}
	}

	private long drainSlice(String container) {
		return this.scripts.runLong(LuaScript.DRAIN, Text.queue(this.queue), List.of(container, this.keys.deleted()),
				this.keys.taskPrefix(), SLICE);
	}

	private List<String> noted() {
		String note = this.keys.deleted();
		List<String> containers = new ArrayList<>();
		List<byte[]> others = new ArrayList<>();
		this.scripts
			.run("SMEMBERS", Text.queue(this.queue),
					(template) -> (template.type(note) == DataType.SET)
							? Objects.requireNonNull(template.opsForSet().members(note)) : Set.<byte[]>of())
			.forEach((name) -> {
				if (Text.of(name).startsWith(prefix())) {
					containers.add(Text.of(name));
				}
				else {
					others.add(name);
				}
			});
		if (!others.isEmpty()) {
			// What is no such name may lie anywhere, and would keep the note for ever
			this.scripts.run("SREM", Text.queue(this.queue),
					(template) -> template.opsForSet().remove(note, others.toArray()));
		}
		return containers;
	}

}
