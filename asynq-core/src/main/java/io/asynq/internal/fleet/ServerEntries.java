package io.asynq.internal.fleet;

import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

import io.asynq.BrokerException;
import io.asynq.internal.redis.FleetKeys;
import io.asynq.internal.redis.LuaScript;
import io.asynq.internal.redis.ScriptRunner;
import io.asynq.internal.redis.ScriptTime;
import io.asynq.internal.redis.Text;
import io.asynq.internal.text.OneLineLogger;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;

/** On a cluster one by one, because each lies in a slot of its own. */
public final class ServerEntries {

	private static final Logger logger = OneLineLogger.of(ServerEntries.class);

	private static final int MOST = 100;

	private final ScriptRunner scripts;

	private final ScriptTime time;

	public ServerEntries(ScriptRunner scripts, ScriptTime time) {
		this.scripts = scripts;
		this.time = time;
	}

	public List<Entry> read(List<String> keys, boolean tasks) {
		List<Entry> entries = new ArrayList<>();
		while (entries.size() < keys.size()) {
			entries.addAll(readSome(next(keys, entries.size()), tasks));
		}
		return entries;
	}

	/** Leaves out servers whose node of a cluster does not answer. */
	List<Entry> readReachable(List<String> keys) {
		List<Entry> entries = new ArrayList<>();
		int read = 0;
		while (read < keys.size()) {
			List<String> next = next(keys, read);
			try {
				entries.addAll(readSome(next, false));
			}
			catch (BrokerException ex) {
				logger.debug("{} cannot be read", subject(next), ex);
			}
			read += next.size();
		}
		return entries;
	}

	/** Reads at least the first, and without tasks all of them. */
	private List<Entry> readSome(List<String> next, boolean tasks) {
		List<String> all = new ArrayList<>();
		next.forEach((key) -> all.addAll(List.of(key, FleetKeys.typesOf(key), FleetKeys.heldOf(key),
				FleetKeys.stuckOf(key), FleetKeys.workersOf(key))));
		List<Object> answer = this.scripts.runList(LuaScript.READ_SERVERS, subject(next), all, this.time.argument(),
				next.size(), tasks ? 1 : 0);
		Instant now = Text.ofNanos(answer.get(0));
		List<Entry> entries = new ArrayList<>();
		for (int i = 1; i < answer.size(); i++) {
			List<?> server = (List<?>) answer.get(i);
			entries.add(new Entry(next.get(i - 1), (byte[]) server.get(0), text(server.get(1)),
					HeldText.parse(text(server.get(2))), StuckHandler.parse(text(server.get(3))),
					server.subList(4, server.size()), now));
		}
		return entries;
	}

	Set<String> tasks(List<String> keys) {
		Set<String> ids = new HashSet<>();
		int read = 0;
		while (read < keys.size()) {
			List<String> next = next(keys, read);
			List<Object> answer = this.scripts.runList(LuaScript.READ_SERVER_TASKS, subject(next), next, next.size());
			read += ((Long) answer.get(0)).intValue();
			answer.stream().skip(1).map(Text::of).forEach(ids::add);
		}
		return ids;
	}

	private List<String> next(List<String> keys, int from) {
		int most = this.scripts.seesCluster() ? 1 : MOST;
		return keys.subList(from, Math.min(from + most, keys.size()));
	}

	private static String subject(List<String> keys) {
		return (keys.size() == 1) ? keys.get(0) : keys.size() + " servers";
	}

	private static @Nullable String text(@Nullable Object stored) {
		return (stored != null) ? Text.of(stored) : null;
	}

	/** No {@code info} once expired, and no {@code types} if it tells none. */
	public record Entry(String key, byte @Nullable [] info, @Nullable String types, Map<String, Integer> held,
			List<StuckHandler> stuck, List<?> workers, Instant now) {
	}

}
