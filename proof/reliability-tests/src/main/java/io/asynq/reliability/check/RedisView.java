package io.asynq.reliability.check;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;

import org.springframework.data.redis.connection.RedisConnection;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.ReturnType;
import org.springframework.data.redis.core.StringRedisTemplate;

/** With commands of its own, independent of the code under test. */
public final class RedisView {

	private static final byte[] CONTAINERS = script("containers");

	private static final byte[] TASKS = script("tasks");

	private static final byte[] LATE = script("late");

	private static final int SLICE = 500;

	private static final String GROUP = "g:";

	/** Two minutes, and the largest difference of clocks. */
	private static final Duration STAGED_AT_MOST = Duration.ofMinutes(3);

	private final StringRedisTemplate redis;

	public RedisView(RedisConnectionFactory connections) {
		this.redis = new StringRedisTemplate(connections);
	}

	/**
	 * Returns whether no task of a queue is to be run or aggregated, now or later,
	 * whether its groups are listed or not.
	 */
	public boolean isWorkedOff(String queue) {
		// Twice, because a member of a group may have become a task meanwhile
		return unfinished(queue) == 0 && keys(key(queue, GROUP) + "*").isEmpty() && unfinished(queue) == 0;
	}

	Containers containers(String queue) {
		return containers(queue, List.of());
	}

	private Containers containers(String queue, List<String> groups) {
		List<String> keys = new ArrayList<>();
		for (Container container : Container.values()) {
			if (container.isKey()) {
				keys.add(key(queue, container.wireName()));
			}
		}
		keys.addAll(List.of(key(queue, "lease"), key(queue, "groups"), key(queue, "aggregation_sets"),
				"asynqj:{" + queue + "}:aggregated"));
		List<String> args = new ArrayList<>(List.of(key(queue, "t:"), key(queue, GROUP)));
		args.addAll(groups);
		List<?> lists = eval(CONTAINERS, keys, args);
		Map<Container, List<Containers.Entry>> entries = new EnumMap<>(Container.class);
		for (Container container : Container.values()) {
			entries.put(container, entries((List<?>) lists.get(container.ordinal())));
		}
		return new Containers(queue, entries, entries((List<?>) lists.get(Container.values().length)));
	}

	QueueView queue(String queue) {
		Set<String> others = new TreeSet<>();
		List<String> tasks = new ArrayList<>();
		Map<String, String> locks = new HashMap<>();
		for (String key : keys("asynq:{" + queue + "}:*")) {
			String suffix = key.substring(key(queue, "").length());
			if (suffix.startsWith("t:")) {
				tasks.add(key);
			}
			else if (suffix.startsWith("unique:")) {
				locks.put(key, String.valueOf(this.redis.opsForValue().get(key)));
			}
			else if (!isExpected(suffix)) {
				others.add(key);
			}
		}
		keys("asynqj:{" + queue + "}:*").stream().filter((key) -> !isNote(queue, key)).forEach(others::add);
		List<String> groups = others.stream().filter((key) -> key.startsWith(key(queue, GROUP))).toList();
		return new QueueView(containers(queue, groups), tasks(queue, tasks), locks, others, counter(queue, "processed"),
				counter(queue, "failed"));
	}

	public Set<String> servers() {
		Set<String> found = new TreeSet<>(keys("asynq:servers:*"));
		found.addAll(keys("asynq:workers:*"));
		found.addAll(keys("asynq:schedulers:*"));
		return found;
	}

	Set<String> histories() {
		return keys("asynq:scheduler_history:*");
	}

	private long unfinished(String queue) {
		long size = 0;
		for (Container list : List.of(Container.PENDING, Container.ACTIVE)) {
			size += Objects.requireNonNull(this.redis.opsForList().size(key(queue, list.wireName())));
		}
		for (Container set : List.of(Container.SCHEDULED, Container.RETRY)) {
			size += Objects.requireNonNull(this.redis.opsForZSet().size(key(queue, set.wireName())));
		}
		return size;
	}

	private Map<String, StoredTask> tasks(String queue, List<String> keys) {
		Map<String, StoredTask> tasks = new HashMap<>();
		for (int from = 0; from < keys.size(); from += SLICE) {
			List<String> slice = keys.subList(from, Math.min(from + SLICE, keys.size()));
			List<?> answer = eval(TASKS, List.of(key(queue, "pending")), slice);
			for (int i = 0; i < slice.size(); i++) {
				String id = slice.get(i).substring(key(queue, "t:").length());
				tasks.put(id, StoredTask.parse(id, (byte[]) answer.get(2 * i), text(answer.get(2 * i + 1))));
			}
		}
		return tasks;
	}

	private long counter(String queue, String name) {
		String value = this.redis.opsForValue().get(key(queue, name));
		return (value != null) ? Long.parseLong(value) : 0;
	}

	private Set<String> keys(String pattern) {
		return Objects.requireNonNull(this.redis.keys(pattern));
	}

	private List<?> eval(byte[] script, List<String> keys, List<String> args) {
		List<byte[]> all = new ArrayList<>(keys.size() + args.size());
		keys.forEach((key) -> all.add(key.getBytes(StandardCharsets.UTF_8)));
		args.forEach((arg) -> all.add(arg.getBytes(StandardCharsets.UTF_8)));
		return Objects.requireNonNull(this.redis.execute((RedisConnection connection) -> connection.scriptingCommands()
			.<List<?>>eval(script, ReturnType.MULTI, keys.size(), all.toArray(byte[][]::new))));
	}

	private static List<Containers.Entry> entries(List<?> flat) {
		List<Containers.Entry> entries = new ArrayList<>(flat.size() / 3);
		for (int i = 0; i < flat.size(); i += 3) {
			entries.add(new Containers.Entry(text(flat.get(i)), text(flat.get(i + 1)),
					(long) Double.parseDouble(text(flat.get(i + 2)))));
		}
		return entries;
	}

	private boolean isNote(String queue, String key) {
		String suffix = key.substring(("asynqj:{" + queue + "}:").length());
		if (suffix.startsWith("fire:") || suffix.startsWith("void:") || suffix.equals("watched")
				|| suffix.equals("turn") || suffix.startsWith("aggregator")) {
			// -1 without an expiry; a key that has just expired has none left, or is gone
			return Objects.requireNonNull(this.redis.getExpire(key)) != -1;
		}
		return suffix.equals("groups")
				&& eval(LATE, List.of(key), List.of(String.valueOf(STAGED_AT_MOST.toSeconds()))).equals(List.of(0L));
	}

	private static boolean isExpected(String suffix) {
		for (Container container : Container.values()) {
			if (container.isKey() && container.wireName().equals(suffix)) {
				return true;
			}
		}
		return "lease".equals(suffix) || suffix.startsWith("processed") || suffix.startsWith("failed");
	}

	private static String key(String queue, String suffix) {
		return "asynq:{" + queue + "}:" + suffix;
	}

	private static String text(Object bytes) {
		return new String((byte[]) bytes, StandardCharsets.UTF_8);
	}

	private static byte[] script(String name) {
		try (InputStream script = RedisView.class.getResourceAsStream("/reliability/lua/" + name + ".lua")) {
			return Objects.requireNonNull(script).readAllBytes();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

}
