package io.asynq.internal.inspect;

import java.util.List;
import java.util.function.Consumer;

import io.asynq.inspect.Inconsistency;
import io.asynq.inspect.Inconsistency.Kind;
import io.asynq.internal.redis.Keys;
import io.asynq.internal.redis.LuaScript;
import io.asynq.internal.redis.ScriptRunner;
import io.asynq.internal.redis.Text;
import org.springframework.data.redis.core.RedisCallback;

final class ContainerCheck {

	/** There is nothing more in a container. */
	static final long END = -1;

	/** How many ids to read at once, without looking at their tasks. */
	private static final int READ = 5000;

	private final ScriptRunner scripts;

	private final String queue;

	private final Budget budget;

	private final SuspectIds suspects;

	private final Consumer<Inconsistency> found;

	ContainerCheck(ScriptRunner scripts, String queue, Budget budget, SuspectIds suspects,
			Consumer<Inconsistency> found) {
		this.scripts = scripts;
		this.queue = queue;
		this.budget = budget;
		this.suspects = suspects;
		this.found = found;
	}

	int length(String container) {
		return ((Long) read(container, 1, 0).get(0)).intValue();
	}

	/** Counts from the end that tasks leave at. */
	PendingIds ids(String container, long count) {
		PendingIds ids = new PendingIds();
		long from = 0;
		long slice;
		int read;
		do {
			slice = Math.min(READ, count - from);
			List<?> some = (slice > 0) ? (List<?>) read(container, -(from + slice), -(from + 1)).get(1) : List.of();
			some.forEach((id) -> ids.add(Text.of(id)));
			read = some.size();
			from += slice;
		}
		while (read > 0 && read == slice);
		return ids;
	}

	/**
	 * From the end that tasks leave at: what leaves is skipped, nothing is seen twice.
	 */
	long checkList(String container, long from, PendingIds known) {
		long looked = from;
		int slice;
		List<?> ids;
		do {
			slice = this.budget.slice();
			ids = (List<?>) slice(container, container, -(looked + slice), -(looked + 1)).get(1);
			for (int i = 0; i < ids.size(); i += 3) {
				String id = Text.of(ids.get(i));
				if (!known.add(id) && isDouble(container, id)) {
					tell(Kind.DOUBLE_ENTRY, id, container);
				}
				suspectIfStrange(ids, i, container);
			}
			looked += slice;
			this.budget.spend(ids.size() / 3);
		}
		while (ids.size() == 3 * slice && !this.budget.isSpent());
		return (ids.size() == 3 * slice) ? looked : END;
	}

	long checkSorted(String suffix, String state, long from) {
		long looked = from;
		int slice;
		long length;
		do {
			slice = this.budget.slice();
			List<Object> answer = slice(suffix, state, looked, looked + slice - 1);
			length = (Long) answer.get(0);
			List<?> ids = (List<?>) answer.get(1);
			for (int i = 0; i < ids.size(); i += 3) {
				if ((Long) ids.get(i + 2) == 1) {
					tell(Kind.FRACTIONAL_SCORE, Text.of(ids.get(i)), suffix);
				}
				suspectIfStrange(ids, i, suffix);
			}
			looked += slice;
			this.budget.spend(length + 1);
		}
		while (length == slice && !this.budget.isSpent());
		return (length == slice) ? looked : END;
	}

	private List<Object> read(String container, long first, long last) {
		return this.scripts.runList(LuaScript.CHECK_LIST, Text.queue(this.queue),
				List.of(Keys.of(this.queue).prefix() + container), first, last);
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
