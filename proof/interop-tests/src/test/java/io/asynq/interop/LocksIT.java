package io.asynq.interop;

import java.time.Duration;
import java.util.Map;
import java.util.stream.Stream;

import io.asynq.DuplicateTaskException;
import io.asynq.Task;
import io.asynq.TaskIdConflictException;
import io.asynq.TaskOptions;
import io.asynq.TaskState;
import io.asynq.interop.peer.Behaviour;
import io.asynq.interop.peer.Direction;
import io.asynq.interop.peer.InteropTest;
import io.asynq.interop.peer.Peer;
import io.asynq.interop.peer.PeerServer;
import io.asynq.interop.peer.Peers;
import io.asynq.interop.peer.RawRedis;
import io.asynq.interop.peer.ServerSpec;
import io.asynq.interop.peer.TaskView;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.params.provider.Arguments.argumentSet;

/**
 * Unique locks and task ids hold across both sides.
 */
@InteropTest
class LocksIT {

	private static final TaskOptions UNIQUE = TaskOptions.of((options) -> options.unique(Duration.ofMinutes(1)));

	private static final TaskOptions KEYED = UNIQUE.toBuilder().uniqueKey("invoice-42").build();

	static Stream<Arguments> payloads() {
		return Stream.of(Direction.values())
			.flatMap((direction) -> Stream.of(argumentSet(direction + ", some payload", direction, Task.of("t", "{}")),
					argumentSet(direction + ", no payload", direction, Task.of("t", (byte[]) null)),
					argumentSet(direction + ", empty payload", direction, Task.of("t", new byte[0]))));
	}

	@ParameterizedTest
	@MethodSource("payloads")
	void lockOfTheOtherRejectsDuplicate(Direction direction, Task task, Peers peers, RawRedis redis) {
		TaskView holder = direction.first(peers).enqueue(task, UNIQUE);
		assertThatExceptionOfType(DuplicateTaskException.class)
			.isThrownBy(() -> direction.second(peers).enqueue(task, UNIQUE));
		assertThat(peers.go().queue("default").tasks()).containsExactly(Map.entry(TaskState.PENDING, 1L));
		assertThat(redis.keys("asynq:{default}:unique:*")).singleElement()
			.satisfies((key) -> assertThat(redis.string(key)).isEqualTo(holder.id()));
	}

	@ParameterizedTest
	@EnumSource
	void missingAndEmptyPayloadHaveDifferentLocks(Direction direction, Peers peers) {
		direction.first(peers).enqueue(Task.of("t", (byte[]) null), UNIQUE);
		direction.second(peers).enqueue(Task.of("t", new byte[0]), UNIQUE);
		assertThat(peers.go().queue("default").size(TaskState.PENDING)).isEqualTo(2);
	}

	@ParameterizedTest
	@EnumSource
	void lockIsReleasedWhenTheOtherCompletesTask(Direction direction, Peers peers, RawRedis redis) {
		Peer first = direction.first(peers);
		TaskView task = first.enqueue(Task.of("t", "{}"), UNIQUE);
		direction.second(peers).serve(ServerSpec.ofDefaultQueue()).awaitEnded();
		await().untilAsserted(() -> assertThat(first.exists(task)).isFalse());
		assertThat(redis.keys("asynq:{default}:unique:*")).isEmpty();
		assertThat(first.enqueue(Task.of("t", "{}"), UNIQUE).id()).isNotEqualTo(task.id());
	}

	@ParameterizedTest
	@EnumSource
	void lockHoldsWhileTaskFailedByTheOtherAwaitsRetry(Direction direction, Peers peers) {
		Peer first = direction.first(peers);
		TaskView task = first.enqueue(Task.of("t", "{}"), UNIQUE);
		try (PeerServer server = direction.second(peers)
			.serve(ServerSpec.ofDefaultQueue().with("t", Behaviour.fail("no")))) {
			server.awaitEnded();
		}
		assertThat(first.task(task).state()).isEqualTo(TaskState.RETRY);
		assertThatExceptionOfType(DuplicateTaskException.class)
			.isThrownBy(() -> first.enqueue(Task.of("t", "{}"), UNIQUE));
	}

	@ParameterizedTest
	@EnumSource
	void lockOfDeletedTaskIsFree(Direction direction, Peers peers) {
		TaskView task = direction.first(peers)
			.enqueue(Task.of("t", "{}"), UNIQUE.toBuilder().processIn(Duration.ofHours(1)).build());
		peers.go().inspector().delete(task);
		assertThat(direction.second(peers).enqueue(Task.of("t", "{}"), UNIQUE).state()).isEqualTo(TaskState.PENDING);
	}

	@Test
	void lockWithKeyOfItsOwnIsReleasedWhenGoCompletesTask(Peers peers, RawRedis redis) {
		TaskView task = peers.java().enqueue(Task.of("t", "1"), KEYED);
		assertThatExceptionOfType(DuplicateTaskException.class)
			.isThrownBy(() -> peers.java().enqueue(Task.of("t", "2"), KEYED));
		// Go's lock of the same type and payload is another one
		TaskView other = peers.go().enqueue(Task.of("t", "1"), UNIQUE);
		peers.go().serve(ServerSpec.ofDefaultQueue()).awaitEnded();
		await().untilAsserted(() -> {
			assertThat(peers.java().exists(task)).isFalse();
			assertThat(peers.java().exists(other)).isFalse();
		});
		assertThat(redis.keys("asynq:{default}:unique:*")).isEmpty();
		assertThat(peers.java().enqueue(Task.of("t", "2"), KEYED).state()).isEqualTo(TaskState.PENDING);
	}

	@Test
	void lockWithKeyOfItsOwnIsReleasedWhenGoDeletesTask(Peers peers, RawRedis redis) {
		TaskView task = peers.java()
			.enqueue(Task.of("t", "1"), KEYED.toBuilder().processIn(Duration.ofHours(1)).build());
		assertThat(redis.string("asynq:{default}:unique:t:=invoice-42")).isEqualTo(task.id());
		peers.go().inspector().delete(task);
		assertThat(redis.keys("asynq:{default}:unique:*")).isEmpty();
	}

	@Test
	void taskArchivedByGoIsReplaced(Peers peers, RawRedis redis) {
		TaskOptions named = KEYED.toBuilder().taskId("invoice-42").replaceArchived(true).build();
		TaskView task = peers.java().enqueue(Task.of("t", "1"), named);
		assertThatExceptionOfType(DuplicateTaskException.class)
			.isThrownBy(() -> peers.java().enqueue(Task.of("t", "2"), named));
		peers.go().inspector().archive(task);
		peers.java().enqueue(Task.of("t", "2"), named);
		assertThat(peers.go().queue("default").tasks()).containsExactly(Map.entry(TaskState.PENDING, 1L));
		assertThat(peers.go().task("default", "invoice-42").payload()).isEqualTo("2");
		assertThat(redis.keys("asynq:{default}:unique:*")).hasSize(1);
	}

	@ParameterizedTest
	@EnumSource
	void idTakenByTheOtherIsRejected(Direction direction, Peers peers) {
		TaskOptions named = TaskOptions.of((options) -> options.taskId("one and only"));
		direction.first(peers).enqueue(Task.of("t", "1"), named);
		assertThatExceptionOfType(TaskIdConflictException.class)
			.isThrownBy(() -> direction.second(peers).enqueue(Task.of("t", "2"), named));
		assertThatExceptionOfType(TaskIdConflictException.class).isThrownBy(() -> direction.second(peers)
			.enqueue(Task.of("t", "2"), named.toBuilder().processIn(Duration.ofHours(1)).build()));
		assertThat(peers.go().task("default", "one and only").payload()).isEqualTo("1");
	}

}
