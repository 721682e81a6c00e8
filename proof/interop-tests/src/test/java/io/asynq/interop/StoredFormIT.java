package io.asynq.interop;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Stream;

import com.google.protobuf.InvalidProtocolBufferException;
import io.asynq.Task;
import io.asynq.TaskOptions;
import io.asynq.internal.redis.proto.TaskMessage;
import io.asynq.interop.peer.InteropTest;
import io.asynq.interop.peer.Peer;
import io.asynq.interop.peer.Peers;
import io.asynq.interop.peer.RawRedis;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.junit.jupiter.params.provider.Arguments.argumentSet;

/**
 * Compares what an enqueue call of each side leaves in Redis, key by key.
 */
@InteropTest
class StoredFormIT {

	private static final String QUEUE = "mail";

	private static final String ID = "task-1";

	private static final Instant LATER = Instant.parse("2099-03-04T05:06:07.890Z");

	static Stream<Arguments> tasks() {
		byte[] binary = { 0, -1, 10, 127, -128 };
		return Stream.of(sample("plain", Task.of("email:send", "{\"user_id\":42}"), (options) -> {
		}), sample("no payload", Task.of("email:send", (byte[]) null), (options) -> {
		}), sample("empty payload", Task.of("email:send", new byte[0]), (options) -> {
		}), sample("binary payload", Task.of("typ mit Ümlaut 🚀", binary), (options) -> {
		}), sample("headers", Task.of("t", "p").withHeaders(Map.of("traceparent", "00-1", "ü", "")), (options) -> {
		}), sample("limits", Task.of("t", "p"),
				(options) -> options.maxRetry(0)
					.timeout(Duration.ofMillis(61_999))
					.deadline(LATER)
					.retention(Duration.ofHours(1))),
				sample("deadline alone", Task.of("t", "p"), (options) -> options.deadline(LATER)),
				sample("no timeout", Task.of("t", "p"), (options) -> options.timeout(Duration.ZERO).deadline(LATER)),
				sample("in the past", Task.of("t", "p"), (options) -> options.processAt(Instant.EPOCH)),
				sample("scheduled", Task.of("t", "p"), (options) -> options.processAt(LATER)),
				sample("unique", Task.of("t", "p"), (options) -> options.unique(Duration.ofMinutes(5))),
				sample("unique without payload", Task.of("t", (byte[]) null),
						(options) -> options.unique(Duration.ofMinutes(5))),
				sample("unique with empty payload", Task.of("t", new byte[0]),
						(options) -> options.unique(Duration.ofMinutes(5))),
				sample("unique and scheduled", Task.of("t", "p"),
						(options) -> options.unique(Duration.ofMinutes(5)).processIn(Duration.ofMinutes(1))),
				sample("grouped", Task.of("t", "p"), (options) -> options.group("g1")),
				sample("grouped and unique", Task.of("t", "p"),
						(options) -> options.group("g1").unique(Duration.ofMinutes(5))),
				sample("grouped and scheduled", Task.of("t", "p"), (options) -> options.group("g1").processAt(LATER)));
	}

	@ParameterizedTest
	@MethodSource("tasks")
	void bothWriteSameBytes(Task task, TaskOptions options, Peers peers, RawRedis redis) {
		Stored go = enqueue(peers.go(), task, options, redis);
		// Go first: it names a queue in asynq:queues only once per process
		redis.deleteAll();
		Stored java = enqueue(peers.java(), task, options, redis);
		assertThat(java.keys()).isEqualTo(go.keys());
		assertThat(java.message()).isEqualTo(go.message());
		// Java adds fields that Go omits: the group of a scheduled task, the lock of a
		// grouped one
		assertThat(java.fields()).containsAllEntriesOf(go.fields());
		assertThat(java.lock()).isEqualTo(go.lock());
		assertThat(java.lockTtl()).isCloseTo(go.lockTtl(), within(30_000L));
		assertThat(java.pendingSinceDigits()).isEqualTo(go.pendingSinceDigits());
		assertThat(wholeNumber(java.score())).isTrue();
		if (options.processTime(Instant.EPOCH) == LATER) {
			assertThat(java.score()).isEqualTo(go.score()).isEqualTo(LATER.getEpochSecond());
		}
	}

	private static Arguments sample(String name, Task task, Consumer<TaskOptions.Builder> options) {
		return argumentSet(name, task, TaskOptions.of((builder) -> {
			options.accept(builder);
			builder.queue(QUEUE).taskId(ID);
		}));
	}

	private static boolean wholeNumber(@Nullable Double score) {
		return score == null || score == Math.rint(score);
	}

	private static Stored enqueue(Peer peer, Task task, TaskOptions options, RawRedis redis) {
		peer.enqueue(task, options);
		Map<String, String> fields = redis.taskHash(QUEUE, ID);
		byte[] bytes = fields.remove("msg").getBytes(StandardCharsets.ISO_8859_1);
		String pendingSince = fields.remove("pending_since");
		Set<String> locks = redis.keys("asynq:{mail}:unique:*");
		String lock = locks.isEmpty() ? null : locks.iterator().next();
		Double scheduled = redis.score("asynq:{mail}:scheduled", ID);
		Set<String> keys = redis.keys("*");
		return new Stored(keys, message(bytes), new HashMap<>(fields),
				(pendingSince != null) ? pendingSince.replaceAll("\\d", "9") : null,
				(lock != null) ? redis.string(lock) : null, (lock != null) ? redis.ttlMillis(lock) : 0,
				(scheduled != null) ? scheduled : redis.score("asynq:{mail}:g:g1", ID));
	}

	private static TaskMessage message(byte[] bytes) {
		try {
			return TaskMessage.parseFrom(bytes);
		}
		catch (InvalidProtocolBufferException ex) {
			throw new AssertionError("Not a task message", ex);
		}
	}

	/**
	 * All that an enqueue call has left behind.
	 *
	 * @param keys all keys, the lock's name included
	 * @param message the decoded message
	 * @param fields the other fields of the hash
	 * @param pendingSinceDigits the form of the time since which it is pending
	 * @param lock who holds the lock
	 * @param lockTtl for how many milliseconds
	 * @param score of the scheduled or grouped task
	 */
	private record Stored(Set<String> keys, TaskMessage message, Map<String, String> fields,
			@Nullable String pendingSinceDigits, @Nullable String lock, long lockTtl, @Nullable Double score) {

	}

}
