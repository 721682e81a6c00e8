package io.asynq.internal.arrival;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

import io.asynq.internal.redis.Keys;
import io.asynq.internal.redis.LuaScript;
import io.asynq.internal.redis.ScriptRunner;
import io.asynq.internal.redis.Text;
import org.springframework.data.redis.connection.RedisConnection;

/** What to read so that Redis tracks it, and what a change of each key means. */
final class WatchedKeys {

	private final Map<String, Runnable> events = new HashMap<>();

	WatchedKeys(Collection<String> queues, ArrivalListener listener) {
		for (String queue : queues) {
			Keys keys = Keys.of(queue);
			Runnable pending = () -> listener.onPending(queue);
			Runnable delayed = () -> listener.onDelayed(queue);
			this.events.put(keys.pending(), pending);
			this.events.put(keys.paused(), pending);
			this.events.put(keys.scheduled(), delayed);
			this.events.put(keys.retry(), delayed);
		}
	}

	void changed(String key) {
		Runnable event = this.events.get(key);
		if (event != null) {
			event.run();
		}
	}

	void allChanged(Collection<String> queues) {
		for (String queue : queues) {
			Keys keys = Keys.of(queue);
			changed(keys.pending());
			changed(keys.scheduled());
		}
	}

	static Set<String> readPending(RedisConnection connection, Collection<String> queues) {
		List<String> names = List.copyOf(queues);
		List<String> keys = new ArrayList<>(2 * names.size());
		for (String queue : names) {
			keys.add(Keys.of(queue).pending());
			keys.add(Keys.of(queue).paused());
		}
		List<?> answer = ScriptRunner.runOver(connection, LuaScript.WATCH_PENDING, "queues " + names, keys);
		Set<String> ready = new HashSet<>();
		for (int i = 0; i < names.size(); i++) {
			if ((Long) answer.get(i) == 1) {
				ready.add(names.get(i));
			}
		}
		return ready;
	}

	static void readDelayed(RedisConnection connection, Collection<String> queues) {
		byte[][] keys = queues.stream()
			.map(Keys::of)
			.flatMap((queue) -> Stream.of(queue.scheduled(), queue.retry()))
			.map(Text::utf8)
			.toArray(byte[][]::new);
		ScriptRunner.call("EXISTS", "queues " + queues, () -> connection.execute("EXISTS", keys));
	}

}
