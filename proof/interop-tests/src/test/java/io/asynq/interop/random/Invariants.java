package io.asynq.interop.random;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

import com.google.protobuf.InvalidProtocolBufferException;
import io.asynq.TaskState;
import io.asynq.internal.redis.proto.TaskMessage;
import org.jspecify.annotations.Nullable;
import org.springframework.data.redis.connection.RedisConnection;
import org.springframework.data.redis.core.ScanOptions;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Invariants of a queue, read from Redis itself. Key names are literals on purpose.
 */
final class Invariants {

	private static final String PREFIX = "asynq:{" + Applied.QUEUE + "}:";

	private final RedisConnection redis;

	Invariants(RedisConnection redis) {
		this.redis = redis;
	}

	/**
	 * Checks, at any time, that active tasks and leases match.
	 */
	void everyActiveTaskHasALease() {
		this.redis.multi();
		this.redis.listCommands().lRange(bytes(PREFIX + "active"), 0, -1);
		this.redis.zSetCommands().zRange(bytes(PREFIX + "lease"), 0, -1);
		List<Object> both = this.redis.exec();
		assertThat(texts((Collection<?>) both.get(1))).as("ids with a lease")
			.containsExactlyInAnyOrderElementsOf(texts((Collection<?>) both.get(0)));
	}

	/**
	 * Returns whether a scheduled task will be due while servers are being stopped.
	 */
	boolean anythingIsDueSoon() {
		double soon = Instant.now().plusSeconds(60).getEpochSecond();
		return this.redis.zSetCommands().zCount(bytes(PREFIX + "scheduled"), 0, soon) > 0;
	}

	/**
	 * Checks, when idle, that every task is in the one container that its state names,
	 * and that containers hold nothing else.
	 */
	void everyTaskIsInOneContainer() {
		Map<String, List<String>> containers = new HashMap<>();
		for (TaskState state : TaskState.stored()) {
			for (String id : idsOf(state)) {
				containers.computeIfAbsent(id, (key) -> new ArrayList<>()).add(state.wireName());
			}
		}
		Map<String, List<String>> states = new HashMap<>();
		for (String key : keys(PREFIX + "t:*")) {
			states.put(key.substring((PREFIX + "t:").length()), List.of(String.valueOf(field(key, "state"))));
		}
		assertThat(containers).as("containers by id, and states by id").isEqualTo(states);
	}

	/**
	 * Checks, when idle, that exactly the groups with tasks are listed.
	 */
	void groupsWithTasksAreListed() {
		assertThat(texts(this.redis.setCommands().sMembers(bytes(PREFIX + "groups")))).as("listed groups")
			.containsExactlyInAnyOrderElementsOf(
					keys(PREFIX + "g:*").stream().map((key) -> key.substring((PREFIX + "g:").length())).toList());
	}

	/**
	 * Checks that nothing is left of the queue, neither keys of Go nor of ours.
	 */
	void nothingIsLeft() {
		assertThat(keys("asynq*{" + Applied.QUEUE + "}*")).isEmpty();
		assertThat(this.redis.setCommands().sIsMember(bytes("asynq:queues"), bytes(Applied.QUEUE))).isFalse();
	}

	/**
	 * Checks, when idle, that every lock belongs to a task that names it, and expires.
	 */
	void noLockOutlivesItsTask() {
		for (String lock : keys(PREFIX + "unique:*")) {
			String holder = text(this.redis.stringCommands().get(bytes(lock)));
			byte[] message = this.redis.hashCommands().hGet(bytes(PREFIX + "t:" + holder), bytes("msg"));
			assertThat(message).as("task '%s', which holds %s", holder, lock).isNotNull();
			assertThat(uniqueKey(message)).isEqualTo(lock);
			assertThat(this.redis.keyCommands().ttl(bytes(lock))).as("TTL of %s", lock).isBetween(1L, 10_900L);
		}
	}

	/**
	 * Checks the counters; those of the day equal the totals.
	 */
	void countersAre(long processed, long failed) {
		assertThat(counters("processed")).as("processed, in all and by day").isEqualTo(List.of(processed, processed));
		assertThat(counters("failed")).as("failed, in all and by day").isEqualTo(List.of(failed, failed));
	}

	private List<String> idsOf(TaskState state) {
		byte[] key = bytes(PREFIX + state.wireName());
		return switch (state) {
			case PENDING, ACTIVE -> texts(this.redis.listCommands().lRange(key, 0, -1));
			case AGGREGATING -> keys(PREFIX + "g:*").stream()
				.flatMap((group) -> texts(this.redis.zSetCommands().zRange(bytes(group), 0, -1)).stream())
				.toList();
			default -> texts(this.redis.zSetCommands().zRange(key, 0, -1));
		};
	}

	private List<Long> counters(String name) {
		List<Long> counters = new ArrayList<>();
		counters.add(number(PREFIX + name));
		long days = 0;
		for (String key : keys(PREFIX + name + ":*")) {
			days += number(key);
		}
		counters.add(days);
		return counters;
	}

	private long number(String key) {
		String value = text(this.redis.stringCommands().get(bytes(key)));
		return (value != null) ? Long.parseLong(value) : 0;
	}

	private @Nullable String field(String key, String field) {
		return text(this.redis.hashCommands().hGet(bytes(key), bytes(field)));
	}

	private Set<String> keys(String pattern) {
		Set<String> keys = new TreeSet<>();
		this.redis.keyCommands()
			.scan(ScanOptions.scanOptions().match(pattern).count(1000).build())
			.forEachRemaining((key) -> keys.add(new String(key, StandardCharsets.UTF_8)));
		return keys;
	}

	private static String uniqueKey(byte[] message) {
		try {
			return TaskMessage.parseFrom(message).getUniqueKey();
		}
		catch (InvalidProtocolBufferException ex) {
			throw new AssertionError("Not a task message", ex);
		}
	}

	private static List<String> texts(@Nullable Collection<?> values) {
		return (values != null) ? values.stream().map((value) -> String.valueOf(text((byte[]) value))).toList()
				: List.of();
	}

	private static byte[] bytes(String text) {
		return text.getBytes(StandardCharsets.UTF_8);
	}

	private static @Nullable String text(byte @Nullable [] bytes) {
		return (bytes != null) ? new String(bytes, StandardCharsets.UTF_8) : null;
	}

}
