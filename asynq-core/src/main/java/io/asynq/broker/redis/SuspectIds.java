package io.asynq.broker.redis;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;

import io.asynq.broker.Inconsistency;
import io.asynq.broker.Inconsistency.Kind;

/**
 * Ids that seemed out of place. Servers go on moving tasks, so each is looked at a second
 * time, in one step.
 */
final class SuspectIds {

	private static final int BATCH = 100;

	private final ScriptRunner scripts;

	private final String queue;

	private final Consumer<Inconsistency> found;

	private final Set<String> ids = new LinkedHashSet<>();

	SuspectIds(ScriptRunner scripts, String queue, Consumer<Inconsistency> found) {
		this.scripts = scripts;
		this.queue = queue;
		this.found = found;
	}

	void add(String id) {
		if (this.ids.add(id) && this.ids.size() % BATCH == 0) {
			confirm();
		}
	}

	/**
	 * Tells of those that really are out of place.
	 */
	void confirm() {
		if (this.ids.isEmpty()) {
			return;
		}
		Keys keys = Keys.of(this.queue);
		List<String> batch = new ArrayList<>(this.ids);
		this.ids.clear();
		List<Object> args = new ArrayList<>(List.of(keys.prefix()));
		args.addAll(batch);
		List<Object> answer = this.scripts.runList(LuaScript.CHECK_PLACES, Text.queue(this.queue),
				List.of(keys.active()), args.toArray());
		for (int i = 0; i < batch.size(); i++) {
			judge(batch.get(i), (List<?>) answer.get(i));
		}
	}

	private void judge(String id, List<?> places) {
		String type = Text.of(places.get(0));
		String state = Text.of(places.get(1));
		boolean leased = (Long) places.get(2) == 1;
		List<String> containers = places.subList(3, places.size()).stream().map(Text::of).toList();
		if (!type.equals("hash")) {
			if (!containers.isEmpty() || leased) {
				tell(Kind.ID_WITHOUT_TASK, id, "in " + (containers.isEmpty() ? "lease" : containers)
						+ (type.equals("none") ? "" : ", but its task is a " + type));
			}
			return;
		}
		if (containers.isEmpty()) {
			tell(Kind.TASK_WITHOUT_CONTAINER, id, "state '" + state + "'");
		}
		else if (containers.size() > 1) {
			tell(Kind.IN_TWO_CONTAINERS, id, "state '" + state + "', in " + containers);
		}
		else if (!state.equals(state(containers.get(0)))) {
			tell(Kind.WRONG_STATE, id, "state '" + state + "', in " + containers);
		}
		boolean active = containers.contains("active");
		if (active && !leased) {
			tell(Kind.ACTIVE_WITHOUT_LEASE, id, "state '" + state + "'");
		}
		else if (leased && !active && !containers.isEmpty()) {
			tell(Kind.LEASE_WITHOUT_ACTIVE, id, "state '" + state + "', in " + containers);
		}
	}

	private void tell(Kind kind, String id, String detail) {
		this.found.accept(new Inconsistency(kind, this.queue, id, detail, ""));
	}

	private static String state(String container) {
		return container.startsWith("g:") ? "aggregating" : container;
	}

}
