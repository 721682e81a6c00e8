package io.asynq.broker.redis.queue;

import java.util.List;
import java.util.function.Consumer;

import io.asynq.broker.redis.Keys;
import io.asynq.broker.redis.LuaScript;
import io.asynq.broker.redis.ScriptRunner;
import io.asynq.broker.redis.Text;
import io.asynq.info.Inconsistency;
import io.asynq.info.Inconsistency.Kind;

import org.springframework.data.redis.core.RedisCallback;

/**
 * Checks the containers of a queue for ids that seem out of place.
 */
final class ContainerCheck {

	private static final int SLICE = 500;

	private static final List<String> SORTED = List.of("scheduled", "retry", "archived", "completed", "lease");

	private final ScriptRunner scripts;

	private final String queue;

	private final SuspectIds suspects;

	private final Consumer<Inconsistency> found;

	ContainerCheck(ScriptRunner scripts, String queue, SuspectIds suspects, Consumer<Inconsistency> found) {
		this.scripts = scripts;
		this.queue = queue;
		this.suspects = suspects;
		this.found = found;
	}

	/**
	 * Checks all containers but groups.
	 * @return the ids that were pending
	 */
	PendingIds check() {
		PendingIds pending = new PendingIds();
		checkList("pending", pending);
		this.suspects.expect(pending.size());
		PendingIds active = new PendingIds();
		checkList("active", active);
		this.suspects.expect(pending.size() + active.size());
		SORTED.forEach((container) -> checkSorted(container, container.equals("lease") ? "active" : container));
		return pending;
	}

	/**
	 * Checks a group or a staged set.
	 * @param suffix what follows the prefix of the queue's keys
	 */
	void checkGroup(String suffix) {
		checkSorted(suffix, "aggregating");
	}

	private void checkList(String container, PendingIds known) {
		// From the end that tasks leave at: what leaves meanwhile is skipped, and nothing
		// is seen twice
		List<?> ids = List.of();
		long from = 0;
		do {
			ids = (List<?>) slice(container, container, -(from + SLICE), -(from + 1)).get(1);
			for (int i = 0; i < ids.size(); i += 3) {
				String id = Text.of(ids.get(i));
				if (!known.add(id) && isDouble(container, id)) {
					tell(Kind.DOUBLE_ENTRY, id, container);
				}
				suspectIfStrange(ids, i, container);
			}
			from += SLICE;
		}
		while (ids.size() == 3 * SLICE);
	}

	private void checkSorted(String container, String state) {
		long from = 0;
		long length;
		do {
			List<Object> answer = slice(container, state, from, from + SLICE - 1);
			length = (Long) answer.get(0);
			List<?> ids = (List<?>) answer.get(1);
			for (int i = 0; i < ids.size(); i += 3) {
				if ((Long) ids.get(i + 2) == 1) {
					tell(Kind.FRACTIONAL_SCORE, Text.of(ids.get(i)), container);
				}
				suspectIfStrange(ids, i, container);
			}
			from += SLICE;
		}
		while (length == SLICE);
	}

	private List<Object> slice(String container, String state, long first, long last) {
		Keys keys = Keys.of(this.queue);
		return this.scripts.runList(LuaScript.CHECK_CONTAINER, Text.queue(this.queue),
				List.of(keys.prefix() + container), first, last, keys.taskPrefix(), state);
	}

	private boolean isDouble(String container, String id) {
		byte[] key = Text.utf8(Keys.of(this.queue).prefix() + container);
		List<Long> positions = this.scripts.run("LPOS", Text.queue(this.queue),
				(template) -> template.execute((RedisCallback<List<Long>>) (connection) -> connection.listCommands()
					.lPos(key, Text.utf8(id), null, 2)));
		return positions != null && positions.size() > 1;
	}

	private void suspectIfStrange(List<?> ids, int i, String container) {
		if ((Long) ids.get(i + 1) == 1) {
			this.suspects.add(Text.of(ids.get(i)), container);
		}
	}

	private void tell(Kind kind, String id, String container) {
		this.found.accept(new Inconsistency(kind, this.queue, id, "in " + container, container));
	}

}
