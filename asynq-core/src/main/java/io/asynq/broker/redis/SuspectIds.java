package io.asynq.broker.redis;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

import io.asynq.broker.Inconsistency;
import io.asynq.broker.Inconsistency.Kind;

/**
 * Ids that seemed out of place. Servers go on moving tasks, so each is looked at a second
 * time, in one step.
 */
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

	/**
	 * Looks at fewer ids in one step when each takes longer.
	 * @param listed how many ids stand in lists
	 */
	void expect(int listed) {
		this.batch = Math.max(1, Math.min(BATCH, LOOKS / Math.max(1, listed)));
	}

	/**
	 * Adds an id.
	 * @param id the id
	 * @param container where it was seen, empty for nowhere
	 */
	void add(String id, String container) {
		this.containers.putIfAbsent(id, container);
		if (this.containers.size() >= this.batch) {
			confirm();
		}
	}

	/**
	 * Tells of those that really are out of place.
	 */
	void confirm() {
		if (this.containers.isEmpty()) {
			return;
		}
		Keys keys = Keys.of(this.queue);
		Map<String, String> batch = new LinkedHashMap<>(this.containers);
		this.containers.clear();
		List<Object> args = new ArrayList<>(List.of(keys.prefix()));
		batch.forEach((id, container) -> args.addAll(List.of(id, container)));
		List<Object> answer = this.scripts.runList(LuaScript.CHECK_PLACES, Text.queue(this.queue),
				List.of(keys.active()), args.toArray());
		int i = 0;
		for (Map.Entry<String, String> entry : batch.entrySet()) {
			judge(entry.getKey(), (List<?>) answer.get(i++), entry.getValue());
		}
	}

	private void judge(String id, List<?> places, String seenIn) {
		String type = Text.of(places.get(0));
		String state = Text.of(places.get(1));
		boolean leased = (Long) places.get(2) == 1;
		List<String> containers = places.subList(3, places.size()).stream().map(Text::of).toList();
		if (!type.equals("hash")) {
			if (!containers.isEmpty() || leased) {
				tell(Kind.ID_WITHOUT_TASK, id, "in " + (containers.isEmpty() ? "lease" : containers)
						+ (type.equals("none") ? "" : ", but its task is a " + type), seenIn);
			}
			return;
		}
		if (containers.isEmpty()) {
			tell(Kind.TASK_WITHOUT_CONTAINER, id, "state '" + state + "'", "");
		}
		else if (containers.size() > 1) {
			tell(Kind.IN_TWO_CONTAINERS, id, "state '" + state + "', in " + containers, "");
		}
		else if (!state.equals(state(containers.get(0)))) {
			tell(Kind.WRONG_STATE, id, "state '" + state + "', in " + containers, "");
		}
		boolean active = containers.contains("active");
		if (active && !leased) {
			tell(Kind.ACTIVE_WITHOUT_LEASE, id, "state '" + state + "'", "");
		}
		else if (leased && !active && !containers.isEmpty()) {
			tell(Kind.LEASE_WITHOUT_ACTIVE, id, "state '" + state + "', in " + containers, "");
		}
	}

	private void tell(Kind kind, String id, String detail, String place) {
		this.found.accept(new Inconsistency(kind, this.queue, id, detail, place));
	}

	private static String state(String container) {
		return container.startsWith("g:") ? "aggregating" : container;
	}

}
