package io.asynq.internal.redis;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;

import org.springframework.data.redis.connection.DataType;

/** Tasks out of reach, listed until they are gone, so that any server can finish. */
public final class DeletedTasks {

	private static final int SLICE = 500;

	private final ScriptRunner scripts;

	private final String queue;

	private final Keys keys;

	public DeletedTasks(ScriptRunner scripts, String queue) {
		this.scripts = scripts;
		this.queue = queue;
		this.keys = Keys.of(queue);
	}

	public String prefix() {
		return this.keys.deleted() + ":";
	}

	public void finish(int slices) {
		int left = slices;
		for (String container : noted()) {
			while (left > 0 && drainSlice(container) == SLICE) {
				left--;
			}
		}
	}

	public void drain(String container) {
		while (drainSlice(container) == SLICE) {
			// Another slice
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
			// Any other name may lie in any slot, and would keep the list for ever
			this.scripts.run("SREM", Text.queue(this.queue),
					(template) -> template.opsForSet().remove(note, others.toArray()));
		}
		return containers;
	}

}
