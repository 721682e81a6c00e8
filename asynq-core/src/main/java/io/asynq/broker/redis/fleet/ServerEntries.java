package io.asynq.broker.redis.fleet;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

import io.asynq.broker.redis.Keys;
import io.asynq.broker.redis.LuaScript;
import io.asynq.broker.redis.ScriptRunner;
import io.asynq.broker.redis.ScriptTime;
import io.asynq.broker.redis.Text;
import org.jspecify.annotations.Nullable;

/**
 * Reads what servers have written about themselves: many at once, but on a cluster one by
 * one, because each lies in a slot of its own.
 */
final class ServerEntries {

	private static final int MOST = 100;

	private final ScriptRunner scripts;

	private final ScriptTime time;

	ServerEntries(ScriptRunner scripts, ScriptTime time) {
		this.scripts = scripts;
		this.time = time;
	}

	/**
	 * Reads servers.
	 * @param keys the keys of their entries
	 * @param tasks whether to read what they work on, too
	 */
	List<Entry> read(List<String> keys, boolean tasks) {
		int most = this.scripts.seesCluster() ? 1 : MOST;
		List<Entry> entries = new ArrayList<>();
		while (entries.size() < keys.size()) {
			List<String> next = keys.subList(entries.size(), Math.min(entries.size() + most, keys.size()));
			List<String> all = new ArrayList<>();
			next.forEach((key) -> all.addAll(List.of(key, Keys.typesOf(key), Keys.workersOf(key))));
			List<Object> answer = this.scripts.runList(LuaScript.READ_SERVERS,
					(next.size() == 1) ? next.get(0) : next.size() + " servers", all, this.time.argument(), next.size(),
					tasks ? 1 : 0);
			Instant now = Text.ofNanos(answer.get(0));
			for (int i = 1; i < answer.size(); i++) {
				List<?> server = (List<?>) answer.get(i);
				entries.add(new Entry(next.get(i - 1), (byte[]) server.get(0), text(server.get(1)),
						server.subList(2, server.size()), now));
			}
		}
		return entries;
	}

	private static @Nullable String text(@Nullable Object stored) {
		return (stored != null) ? Text.of(stored) : null;
	}

	/**
	 * What is stored of a server.
	 *
	 * @param key the key of its entry
	 * @param info its entry, {@code null} if it has ended
	 * @param types the types that it takes, {@code null} if it does not tell
	 * @param workers what it works on, empty if that was not read
	 * @param now the time of Redis
	 */
	record Entry(String key, byte @Nullable [] info, @Nullable String types, List<?> workers, Instant now) {
	}

}
