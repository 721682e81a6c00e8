package io.asynq.internal.redis;

import java.nio.charset.StandardCharsets;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;

import com.google.protobuf.InvalidProtocolBufferException;
import org.jspecify.annotations.Nullable;
import org.springframework.data.redis.connection.DataType;
import org.springframework.data.redis.connection.RedisConnectionFactory;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What a test writes to and reads from Redis, as data and without the code under test.
 */
public final class RedisState extends RedisSeeds {

	public RedisState(RedisConnectionFactory factory) {
		super(factory);
	}

	/**
	 * Returns a runner of single scripts.
	 */
	public static ScriptRunner scripts(RedisConnectionFactory factory) {
		return new ScriptRunner(factory);
	}

	/**
	 * Reads the pending ids.
	 * @param queue the queue
	 * @return next one first
	 */
	public List<String> pending(String queue) {
		return listed(queue, "pending");
	}

	/**
	 * Reads how many connections listen to a channel: earlier signals are lost.
	 */
	public long subscribers(String channel) {
		List<?> counted = (List<?>) redis()
			.execute((connection) -> connection.execute("PUBSUB", utf8("NUMSUB"), utf8(channel)), true);
		return (Long) counted.get(1);
	}

	/**
	 * Reads the active ids.
	 * @param queue the queue
	 * @return the one dequeued first comes first
	 */
	public List<String> active(String queue) {
		return listed(queue, "active");
	}

	/**
	 * Reads a sorted set as text.
	 * @param queue the queue
	 * @param suffix which one, such as {@code lease} or {@code g:name}
	 * @return scores by member, lowest first; a score that is no integer fails the test
	 */
	public Map<String, Long> scores(String queue, String suffix) {
		return sorted(key(queue, suffix));
	}

	/**
	 * Reads a task's hash.
	 * @param queue the queue
	 * @param id the task
	 * @return its fields but for {@code msg}, empty if there is none
	 */
	public SortedMap<String, String> fields(String queue, String id) {
		SortedMap<String, String> fields = new TreeMap<>();
		this.text.opsForHash()
			.entries(key(queue, "t:" + id))
			.forEach((field, value) -> fields.put(field.toString(), value.toString()));
		fields.remove("msg");
		return fields;
	}

	public boolean exists(String key) {
		return Boolean.TRUE.equals(this.text.hasKey(key));
	}

	/**
	 * Reads a text value such as a counter or a lock.
	 * @param queue the queue
	 * @param suffix the key's suffix
	 * @return the value, {@code null} if there is none
	 */
	public @Nullable String value(String queue, String suffix) {
		return this.text.opsForValue().get(key(queue, suffix));
	}

	/**
	 * Reads the bytes of a field.
	 * @param queue the queue
	 * @param id the task
	 * @param field the field
	 * @return the bytes, {@code null} if there are none
	 */
	public byte @Nullable [] bytes(String queue, String id, String field) {
		return this.text
			.execute((connection) -> connection.hashCommands().hGet(utf8(key(queue, "t:" + id)), utf8(field)), true);
	}

	/**
	 * Reads a task's stored message.
	 * @param queue the queue
	 * @param id the task
	 * @return the message; fails if there is none
	 */
	public TaskMessage stored(String queue, String id) {
		try {
			return TaskMessageCodec.decode(Objects.requireNonNull(bytes(queue, id, "msg"), "no message"));
		}
		catch (InvalidProtocolBufferException ex) {
			throw new AssertionError("Message of " + id + " cannot be decoded", ex);
		}
	}

	/**
	 * Reads all keys of a queue, to compare two moments.
	 * @param queue the queue
	 * @return content by key, in the order of keys; hash values as ISO 8859-1
	 */
	public SortedMap<String, Object> dump(String queue) {
		SortedMap<String, Object> dump = new TreeMap<>();
		for (String key : Objects.requireNonNull(this.text.keys("asynq*{" + queue + "}:*"))) {
			dump.put(key, content(key));
		}
		return dump;
	}

	public void assertPending(String queue, String... ids) {
		assertThat(pending(queue)).as("pending of %s, next first", queue).containsExactly(ids);
		for (String id : ids) {
			assertState(queue, id, "pending");
			assertThat(fields(queue, id).get("pending_since")).as("pending_since of %s", id).matches("\\d{19}");
		}
	}

	/**
	 * Asserts which tasks are active, and that each has a lease.
	 * @param queue the queue
	 * @param ids the one dequeued first comes first
	 */
	public void assertActive(String queue, String... ids) {
		assertThat(active(queue)).as("active of %s, oldest first", queue).containsExactly(ids);
		assertThat(scores(queue, "lease").keySet()).as("leases of %s", queue).containsExactlyInAnyOrder(ids);
		for (String id : ids) {
			assertState(queue, id, "active");
			assertThat(fields(queue, id)).doesNotContainKey("pending_since");
		}
	}

	public void assertScheduled(String queue, String... ids) {
		assertSorted(queue, "scheduled", ids);
	}

	public void assertRetry(String queue, String... ids) {
		assertSorted(queue, "retry", ids);
	}

	public void assertArchived(String queue, String... ids) {
		assertSorted(queue, "archived", ids);
	}

	public void assertCompleted(String queue, String... ids) {
		assertSorted(queue, "completed", ids);
	}

	/**
	 * Asserts the members of a group, and that the group is listed.
	 */
	public void assertGrouped(String queue, String group, String... ids) {
		assertThat(scores(queue, "g:" + group).keySet()).containsExactlyInAnyOrder(ids);
		assertThat(this.text.opsForSet().members(key(queue, "groups"))).contains(group);
		for (String id : ids) {
			assertState(queue, id, "aggregating");
			assertThat(fields(queue, id)).containsEntry("group", group);
		}
	}

	/**
	 * Asserts the counters of a queue.
	 * @param queue the queue
	 * @param day the UTC day
	 * @param processed processed that day and in total
	 * @param failed failed that day and in total
	 */
	public void assertCounters(String queue, Object day, long processed, long failed) {
		assertThat(List.of(counter(queue, "processed:" + day), counter(queue, "processed"),
				counter(queue, "failed:" + day), counter(queue, "failed")))
			.as("processed and failed of %s, by day and in total", queue)
			.containsExactly(processed, processed, failed, failed);
	}

	/**
	 * Asserts the counters of a queue whose tasks have just been processed, each on the
	 * day on which it ended: midnight may have passed in between.
	 * @param queue the queue
	 * @param processed processed by day and in total
	 * @param failed failed by day and in total
	 */
	public void assertCounters(String queue, long processed, long failed) {
		assertThat(List.of(daily(queue, "processed"), counter(queue, "processed"), daily(queue, "failed"),
				counter(queue, "failed")))
			.as("processed and failed of %s, by day and in total", queue)
			.containsExactly(processed, processed, failed, failed);
	}

	private long daily(String queue, String name) {
		LocalDate today = LocalDate.now(ZoneOffset.UTC);
		return counter(queue, name + ":" + today.minusDays(1)) + counter(queue, name + ":" + today);
	}

	private long counter(String queue, String suffix) {
		String value = value(queue, suffix);
		return (value != null) ? Long.parseLong(value) : 0;
	}

	private void assertSorted(String queue, String state, String... ids) {
		assertThat(scores(queue, state).keySet()).as("%s of %s", state, queue).containsExactlyInAnyOrder(ids);
		for (String id : ids) {
			assertState(queue, id, state);
		}
	}

	private void assertState(String queue, String id, String state) {
		assertThat(fields(queue, id)).as("hash of %s", id).containsEntry("state", state);
	}

	private List<String> listed(String queue, String suffix) {
		List<String> ids = new ArrayList<>(
				Objects.requireNonNull(this.text.opsForList().range(key(queue, suffix), 0, -1)));
		Collections.reverse(ids);
		return ids;
	}

	Map<String, Long> sorted(String key) {
		Map<String, Long> scores = new LinkedHashMap<>();
		Objects.requireNonNull(this.text.opsForZSet().rangeWithScores(key, 0, -1)).forEach((tuple) -> {
			double score = Objects.requireNonNull(tuple.getScore());
			assertThat(score).as("score of %s in %s", tuple.getValue(), key).isEqualTo(Math.rint(score));
			scores.put(tuple.getValue(), (long) score);
		});
		return scores;
	}

	private @Nullable Object content(String key) {
		DataType type = Objects.requireNonNull(this.text.type(key));
		return switch (type) {
			case STRING -> this.text.opsForValue().get(key);
			case LIST -> this.text.opsForList().range(key, 0, -1);
			case SET -> new TreeSet<>(Objects.requireNonNull(this.text.opsForSet().members(key)));
			case ZSET -> sorted(key);
			case HASH -> latin1(key);
			default -> type.code();
		};
	}

	private SortedMap<String, String> latin1(String key) {
		SortedMap<String, String> fields = new TreeMap<>();
		this.text.execute((connection) -> connection.hashCommands().hGetAll(utf8(key)), true)
			.forEach((field, value) -> fields.put(new String(field, StandardCharsets.UTF_8),
					new String(value, StandardCharsets.ISO_8859_1)));
		return fields;
	}

}
