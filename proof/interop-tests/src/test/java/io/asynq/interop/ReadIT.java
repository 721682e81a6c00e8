package io.asynq.interop;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

import io.asynq.Task;
import io.asynq.TaskOptions;
import io.asynq.TaskState;
import io.asynq.interop.peer.Behaviour;
import io.asynq.interop.peer.Behaviour.Action;
import io.asynq.interop.peer.Direction;
import io.asynq.interop.peer.InteropTest;
import io.asynq.interop.peer.Peer;
import io.asynq.interop.peer.PeerServer;
import io.asynq.interop.peer.Peers;
import io.asynq.interop.peer.QueueView;
import io.asynq.interop.peer.ServerSpec;
import io.asynq.interop.peer.TaskView;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.awaitility.Awaitility.await;

/**
 * Both read what one has written, in every state and field by field.
 */
@InteropTest
class ReadIT {

	private static final Instant DEADLINE = Instant.parse("2099-03-04T05:06:07Z");

	@ParameterizedTest
	@EnumSource
	void bothReadPendingTaskWithAllOptions(Direction direction, Peers peers) {
		Task task = Task.of("report", "\u00e4\n{}").withHeaders(Map.of("a", "1", "b", ""));
		TaskView enqueued = direction.first(peers)
			.enqueue(task,
					TaskOptions.of((options) -> options.queue("low")
						.taskId("custom 1")
						.maxRetry(3)
						.timeout(Duration.ofSeconds(90))
						.deadline(DEADLINE)
						.retention(Duration.ofHours(2))));
		assertThat(enqueued.queue()).isEqualTo("low");
		assertThat(enqueued.id()).isEqualTo("custom 1");
		assertThat(enqueued.maxRetry()).isEqualTo(3);
		assertThat(enqueued.timeout()).isEqualTo(Duration.ofSeconds(90));
		assertThat(enqueued.deadline()).isEqualTo(DEADLINE);
		assertThat(enqueued.retention()).isEqualTo(Duration.ofHours(2));
		assertThat(enqueued.headers()).isEqualTo(Map.of("a", "1", "b", ""));
		assertReadAlike(peers, enqueued, TaskState.PENDING);
		assertThat(peers.go().task(enqueued).timeless()).isEqualTo(enqueued.asStored().timeless());
	}

	@ParameterizedTest
	@EnumSource
	void bothReadDefaults(Direction direction, Peers peers) {
		TaskView enqueued = direction.first(peers).enqueue("report", "{}");
		assertThat(enqueued.queue()).isEqualTo("default");
		assertThat(enqueued.maxRetry()).isEqualTo(25);
		assertThat(enqueued.timeout()).isEqualTo(Duration.ofMinutes(30));
		assertThat(enqueued.id()).hasSize(36);
		assertReadAlike(peers, enqueued, TaskState.PENDING);
		assertThat(peers.go().task(enqueued).timeless()).isEqualTo(enqueued.asStored().timeless());
	}

	@ParameterizedTest
	@EnumSource
	void bothReadScheduledTask(Direction direction, Peers peers) {
		TaskView enqueued = direction.first(peers)
			.enqueue(Task.of("report", (byte[]) null),
					TaskOptions.of((options) -> options.processIn(Duration.ofHours(3))));
		assertReadAlike(peers, enqueued, TaskState.SCHEDULED);
		assertThat(peers.go().task(enqueued)).isEqualTo(enqueued.asStored());
	}

	@ParameterizedTest
	@EnumSource
	void bothReadGroupedTask(Direction direction, Peers peers) {
		TaskView enqueued = direction.first(peers)
			.enqueue(Task.of("report", new byte[0]), TaskOptions.of((options) -> options.group("g 1")));
		assertReadAlike(peers, enqueued, TaskState.AGGREGATING);
		assertThat(peers.go().task(enqueued)).isEqualTo(enqueued.asStored());
		assertThat(peers.go().inspector().groups("default")).isEqualTo(Map.of("g 1", 1));
	}

	@ParameterizedTest
	@EnumSource
	void bothReadActiveTask(Direction direction, Peers peers) {
		Peer first = direction.first(peers);
		PeerServer server = first.serve(ServerSpec.ofDefaultQueue().with("report", Behaviour.of(Action.HOLD)));
		TaskView task = first.enqueue("report", "{}");
		server.awaitStarted();
		assertReadAlike(peers, task, TaskState.ACTIVE);
		assertThat(peers.go().task(task).orphaned()).isFalse();
		server.release();
	}

	@ParameterizedTest
	@EnumSource
	void bothReadRetryTask(Direction direction, Peers peers) {
		TaskView read = work(direction, peers, Behaviour.fail("no way: \u00fc").withResult("half"), TaskOptions.none(),
				TaskState.RETRY);
		assertThat(read.result()).isEqualTo("half");
		assertThat(read.retried()).isEqualTo(1);
		assertThat(read.lastError()).contains("no way: \u00fc");
		assertThat(read.lastFailedAt()).isNotNull();
		// Two readings of the clock, each in whole seconds
		assertThat(read.nextProcessAt()).isCloseTo(read.lastFailedAt().plus(Duration.ofHours(1)),
				within(1, ChronoUnit.SECONDS));
	}

	@ParameterizedTest
	@EnumSource
	void bothReadArchivedTask(Direction direction, Peers peers) {
		TaskView read = work(direction, peers, Behaviour.fail("no way"),
				TaskOptions.of((options) -> options.maxRetry(0)), TaskState.ARCHIVED);
		assertThat(read.retried()).isZero();
		assertThat(read.lastError()).contains("no way");
		assertThat(read.lastFailedAt()).isNotNull();
	}

	@ParameterizedTest
	@EnumSource
	void bothReadCompletedTaskAndResult(Direction direction, Peers peers) {
		TaskView read = work(direction, peers, Behaviour.of(Action.OK).withResult("42 \u00e4"),
				TaskOptions.of((options) -> options.retention(Duration.ofMinutes(5))), TaskState.COMPLETED);
		assertThat(read.completedAt()).isNotNull();
		assertThat(read.retention()).isEqualTo(Duration.ofMinutes(5));
		assertThat(read.result()).isEqualTo("42 \u00c3\u00a4");
	}

	@ParameterizedTest
	@EnumSource
	void bothCountQueueWithTasksInEveryState(Direction direction, Peers peers) {
		Peer first = direction.first(peers);
		Map<TaskState, TaskView> tasks = oneTaskPerState(first);
		QueueView go = peers.go().queue("default");
		assertThat(peers.java().queue("default")).isEqualTo(go);
		assertThat(go.sizes().values()).containsOnly(1L);
		assertThat(go.groups()).isEqualTo(1);
		assertThat(go.processed()).isEqualTo(3);
		assertThat(go.failed()).isEqualTo(2);
		assertThat(go.processedTotal()).isEqualTo(3);
		assertThat(go.failedTotal()).isEqualTo(2);
		tasks.forEach((state, task) -> assertReadAlike(peers, task, state));
		assertThat(peers.go().inspector().history("default", 2)).containsExactly(List.of(3, 2), List.of(0, 0));
	}

	@ParameterizedTest
	@EnumSource
	void bothListQueuesOfBoth(Direction direction, Peers peers) {
		direction.first(peers).enqueue(Task.of("report", "1"), TaskOptions.of((options) -> options.queue("User:42")));
		direction.second(peers).enqueue("report", "2");
		assertThat(peers.go().queues()).containsExactlyInAnyOrder("User:42", "default");
		assertThat(peers.java().queues()).isEqualTo(peers.go().queues());
	}

	@Test
	void goReadsLatencyOfJavaTask(Peers peers) {
		peers.java().enqueue("report", "{}");
		await()
			.untilAsserted(() -> assertThat(peers.go().inspector().latencyMillis("default")).isBetween(20.0, 60_000.0));
	}

	private static TaskView work(Direction direction, Peers peers, Behaviour behaviour, TaskOptions options,
			TaskState state) {
		Peer first = direction.first(peers);
		PeerServer server = first.serve(ServerSpec.ofDefaultQueue().with("report", behaviour));
		TaskView task = first.enqueue(Task.of("report", "{}").withHeaders(Map.of("a", "1")), options);
		server.awaitEnded();
		awaitState(peers.go(), task, state);
		assertReadAlike(peers, task, state);
		return peers.go().task(task);
	}

	private static Map<TaskState, TaskView> oneTaskPerState(Peer peer) {
		Map<TaskState, TaskView> tasks = new EnumMap<>(TaskState.class);
		PeerServer server = peer.serve(ServerSpec.ofDefaultQueue()
			.withShutdownTimeout(Duration.ofMillis(200))
			.with("fails", Behaviour.fail("no"))
			.with("holds", Behaviour.of(Action.HOLD)));
		tasks.put(TaskState.RETRY, peer.enqueue("fails", "1"));
		tasks.put(TaskState.ARCHIVED,
				peer.enqueue(Task.of("fails", "2"), TaskOptions.of((options) -> options.maxRetry(0))));
		tasks.put(TaskState.COMPLETED, peer.enqueue(Task.of("succeeds", "3"),
				TaskOptions.of((options) -> options.retention(Duration.ofMinutes(5)))));
		List.of(TaskState.RETRY, TaskState.ARCHIVED, TaskState.COMPLETED)
			.forEach((state) -> awaitState(peer, tasks.get(state), state));
		tasks.put(TaskState.ACTIVE, peer.enqueue("holds", "4"));
		awaitState(peer, tasks.get(TaskState.ACTIVE), TaskState.ACTIVE);
		server.quiet();
		tasks.put(TaskState.PENDING, peer.enqueue("waits", "5"));
		tasks.put(TaskState.SCHEDULED, peer.enqueue(Task.of("waits", "6"),
				TaskOptions.of((options) -> options.processIn(Duration.ofHours(1)))));
		tasks.put(TaskState.AGGREGATING,
				peer.enqueue(Task.of("waits", "7"), TaskOptions.of((options) -> options.group("g"))));
		return tasks;
	}

	private static void awaitState(Peer peer, TaskView task, TaskState state) {
		await().untilAsserted(() -> assertThat(peer.task(task).state()).isEqualTo(state));
	}

	/**
	 * Asserts that both read the same as was enqueued, singly and in Go's list.
	 */
	private static void assertReadAlike(Peers peers, TaskView task, TaskState state) {
		TaskView read = peers.go().task(task);
		assertThat(read.state()).isEqualTo(state);
		assertThat(peers.java().task(task).timeless()).isEqualTo(read.timeless());
		assertThat(peers.go().inspector().list(task.queue(), state, read.group())).extracting(TaskView::timeless)
			.containsExactly(read.timeless());
		assertThat(read.type()).isEqualTo(task.type());
		assertThat(read.payload()).isEqualTo(task.asStored().payload());
		assertThat(read.headers()).isEqualTo(task.headers());
		assertThat(read.timeout()).isEqualTo(task.timeout());
		assertThat(peers.java().queue(task.queue())).isEqualTo(peers.go().queue(task.queue()));
	}

}
