package io.asynq.operations.repair;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Consumer;

import io.asynq.internal.redis.Keys;
import io.asynq.internal.redis.LuaScript;
import io.asynq.internal.redis.ScriptRunner;
import io.asynq.internal.redis.Text;
import io.asynq.operations.repair.Inconsistency.Kind;

/** Servers keep moving tasks, so each id is checked again, atomically. */
final class SuspectIds {

	private static final int BATCH = 100;

	/** How many entries of lists one step may look at: some five milliseconds. */
	private static final int LOOKS = 200_000;

	private final ScriptRunner scripts;

	private final String queue;

	private final Consumer<Inconsistency> found;

	private final Map<String, String> containers = new LinkedHashMap<>();

	private int batch = BATCH;

	SuspectIds(ScriptRunner scripts, String queue, Consumer<Inconsistency> found) {
		this.scripts = scripts;
		this.queue = queue;
		this.found = found;
	}

	/** Checks fewer ids per script call when the lists are long. */
	void expect(int listed) {
		this.batch = Math.max(1, Math.min(BATCH, LOOKS / Math.max(1, listed)));
	}

	void add(String id, String container) {
		this.containers.putIfAbsent(id, container);
		if (this.containers.size() >= this.batch) {
			confirm();
		}
	}

	void confirm() {
		if (this.containers.isEmpty()) {
			return;
		}
		Keys keys = Keys.of(this.queue);
		Map<String, String> batch = new LinkedHashMap<>(this.containers);
		this.containers.clear();
		List<Object> args = new ArrayList<>(List.of(keys.prefix(), keys.ownPrefix()));
		batch.forEach((id, container) -> args.addAll(List.of(id, container)));
		List<Object> answer = this.scripts.runList(LuaScript.CHECK_IDS, Text.queue(this.queue), List.of(keys.active()),
				args.toArray());
		int i = 0;
		for (Map.Entry<String, String> entry : batch.entrySet()) {
			judge(entry.getKey(), (List<?>) answer.get(i++), entry.getValue());
		}
	}

	private void judge(String id, List<?> at, String seenIn) {
		String type = Text.of(at.get(0));
		List<String> containers = ((List<?>) at.get(3)).stream().map(Text::of).toList();
		String where = containers.isEmpty() ? "" : "in " + containers;
		for (Object wrong : (List<?>) at.get(2)) {
			Kind kind = Kind.valueOf(Text.of(wrong).toUpperCase(Locale.ROOT));
			String detail = (kind == Kind.ID_WITHOUT_TASK)
					? (where.isEmpty() ? "in lease" : where)
							+ (type.equals("none") ? "" : ", but its task is a " + type)
					: "state '" + Text.of(at.get(1)) + "'" + (where.isEmpty() ? "" : ", " + where);
			this.found
				.accept(new Inconsistency(kind, this.queue, id, detail, (kind == Kind.ID_WITHOUT_TASK) ? seenIn : ""));
		}
	}

}
