package io.asynq.interop;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Map;

import io.asynq.Task;
import io.asynq.TaskOptions;
import io.asynq.TaskState;
import io.asynq.interop.peer.Attempt;
import io.asynq.interop.peer.AttemptEnd;
import io.asynq.interop.peer.Behaviour;
import io.asynq.interop.peer.Behaviour.Action;
import io.asynq.interop.peer.Direction;
import io.asynq.interop.peer.InteropTest;
import io.asynq.interop.peer.Peer;
import io.asynq.interop.peer.PeerServer;
import io.asynq.interop.peer.Peers;
import io.asynq.interop.peer.QueueView;
import io.asynq.interop.peer.RawRedis;
import io.asynq.interop.peer.ServerSpec;
import io.asynq.interop.peer.TaskView;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.awaitility.Awaitility.await;

/**
 * One enqueues, the other processes.
 */
@InteropTest
class WorkIT {

	@ParameterizedTest
	@EnumSource
	void handlerSeesTaskEnqueuedByTheOther(Direction direction, Peers peers, RawRedis redis) {
		Instant deadline = Instant.parse("2099-03-04T05:06:07Z");
		Task task = Task.of("report:pdf", new byte[] { 0, -1, 65 }).withHeaders(Map.of("trace", "\u00e4", "empty", ""));
		TaskView enqueued = direction.first(peers)
			.enqueue(task, TaskOptions
				.of((options) -> options.queue("low").maxRetry(7).timeout(Duration.ZERO).deadline(deadline)));
		PeerServer server = direction.second(peers).serve(ServerSpec.ofDefaultQueue().withQueues(Map.of("low", 1)));
		assertThat(server.awaitStarted()).isEqualTo(new Attempt(enqueued.id(), "report:pdf", "low", "\0\u00ffA",
				Map.of("trace", "\u00e4", "empty", ""), 0, 7, deadline));
		assertThat(server.awaitEnded()).isEqualTo(new AttemptEnd(enqueued.id(), null, null));
		assertDone(peers, enqueued);
		assertThat(redis.keys("asynq:{low}:*")).allMatch((key) -> key.contains(":processed"));
	}

	@ParameterizedTest
	@EnumSource
	void timeoutOfTaskBecomesDeadlineOfAttempt(Direction direction, Peers peers) {
		direction.first(peers)
			.enqueue(Task.of("report", (byte[]) null),
					TaskOptions.of((options) -> options.timeout(Duration.ofMinutes(7))));
		Attempt attempt = direction.second(peers).serve(ServerSpec.ofDefaultQueue()).awaitStarted();
		assertThat(attempt.payload()).isNull();
		assertThat(attempt.deadline()).isCloseTo(Clock.systemUTC().instant().plus(Duration.ofMinutes(7)),
				within(5, ChronoUnit.SECONDS));
	}

	@ParameterizedTest
	@EnumSource
	void resultCanBeReadByTheOther(Direction direction, Peers peers) {
		TaskView task = direction.first(peers)
			.enqueue(Task.of("report", "{}"), TaskOptions.of((options) -> options.retention(Duration.ofMinutes(1))));
		direction.second(peers)
			.serve(ServerSpec.ofDefaultQueue().with("report", Behaviour.of(Action.OK).withResult("done")));
		awaitState(direction.first(peers), task, TaskState.COMPLETED);
		assertThat(direction.first(peers).task(task).result()).isEqualTo("done");
	}

	@ParameterizedTest
	@EnumSource
	void completedTaskIsRemovedByTheOtherAfterRetention(Direction direction, Peers peers) {
		TaskView task = direction.first(peers)
			.enqueue(Task.of("report", "{}"), TaskOptions.of((options) -> options.retention(Duration.ofSeconds(1))));
		try (PeerServer server = direction.first(peers).serve(ServerSpec.ofDefaultQueue())) {
			server.awaitEnded();
		}
		direction.second(peers).serve(ServerSpec.ofDefaultQueue());
		await().untilAsserted(() -> assertThat(direction.first(peers).exists(task)).isFalse());
		assertThat(peers.go().queue("default").tasks()).isEmpty();
	}

	/**
	 * If Java stored it unchanged, Go would read a negative time and fail each attempt.
	 */
	@ParameterizedTest
	@EnumSource
	void durationsBeyondGoRangeAreClamped(Direction direction, Peers peers) {
		Duration ages = Duration.ofDays(300 * 365);
		TaskView task = peers.java()
			.enqueue(Task.of("report", "{}"), TaskOptions.of((options) -> options.timeout(ages).retention(ages)));
		PeerServer server = direction.second(peers).serve(ServerSpec.ofDefaultQueue());
		assertThat(server.awaitStarted()).extracting(Attempt::taskId, Attempt::retried).containsExactly(task.id(), 0);
		assertThat(server.awaitEnded()).isEqualTo(new AttemptEnd(task.id(), null, null));
		awaitState(peers.java(), task, TaskState.COMPLETED);
		assertThat(peers.go().task(task)).isEqualTo(peers.java().task(task));
		assertThat(peers.go().task(task).timeout()).isGreaterThan(Duration.ofDays(292 * 365));
		assertThat(peers.go().task(task).retention()).isGreaterThan(Duration.ofDays(292 * 365));
	}

	@ParameterizedTest
	@EnumSource
	void namesHaveNoLengthLimit(Direction direction, Peers peers) {
		String name = "x".repeat(40_000);
		TaskView task = direction.first(peers)
			.enqueue(Task.of("type" + name, "{}").withHeaders(Map.of("header" + name, name)),
					TaskOptions.of((options) -> options.taskId("id" + name).queue("queue" + name)));
		PeerServer server = direction.second(peers)
			.serve(ServerSpec.ofDefaultQueue().withQueues(Map.of("queue" + name, 1)));
		assertThat(server.awaitStarted()).extracting(Attempt::taskId, Attempt::type)
			.containsExactly("id" + name, "type" + name);
		assertThat(server.awaitEnded()).isEqualTo(new AttemptEnd(task.id(), null, null));
		assertDone(peers, task);
	}

	@ParameterizedTest
	@Tag("slow")
	@EnumSource
	void taskFailedByOneIsCompletedByTheOther(Direction direction, Peers peers) {
		// Later than this program notices that the first one failed, also when it stands
		// still
		Duration soon = Duration.ofSeconds(6);
		TaskView task = direction.first(peers).enqueue("report", "{}");
		try (PeerServer failing = direction.first(peers)
			.serve(ServerSpec.ofDefaultQueue().withRetryDelay(soon).with("report", Behaviour.fail("not yet")))) {
			failing.awaitStarted();
			failing.quiet();
		}
		PeerServer finishing = direction.second(peers).serve(ServerSpec.ofDefaultQueue());
		Attempt second = finishing.awaitStarted();
		assertThat(second.taskId()).isEqualTo(task.id());
		assertThat(second.retried()).isEqualTo(1);
		assertDone(peers, task);
		assertCounters(peers, 2, 1);
	}

	@ParameterizedTest
	@EnumSource
	void failuresOfBothAddUpUntilTaskIsArchivedAndRunAgain(Direction direction, Peers peers) {
		ServerSpec failing = ServerSpec.ofDefaultQueue().with("report", Behaviour.fail("never"));
		TaskView task = direction.first(peers)
			.enqueue(Task.of("report", "{}"), TaskOptions.of((options) -> options.maxRetry(1)));
		try (PeerServer server = direction.first(peers).serve(failing)) {
			server.awaitStarted();
			awaitState(direction.second(peers), task, TaskState.RETRY);
		}
		peers.go().inspector().run(task);
		try (PeerServer server = direction.second(peers).serve(failing)) {
			assertThat(server.awaitStarted().retried()).isEqualTo(1);
			awaitState(direction.first(peers), task, TaskState.ARCHIVED);
		}
		assertCounters(peers, 2, 2);
		peers.go().inspector().run(task);
		awaitState(peers.java(), task, TaskState.PENDING);
		direction.first(peers).serve(ServerSpec.ofDefaultQueue()).awaitEnded();
		assertDone(peers, task);
	}

	@ParameterizedTest
	@EnumSource
	void handlerThatSkipsRetryArchivesTask(Direction direction, Peers peers) {
		TaskView task = direction.first(peers).enqueue("report", "{}");
		direction.second(peers).serve(ServerSpec.ofDefaultQueue().with("report", Behaviour.of(Action.SKIP)));
		awaitState(direction.first(peers), task, TaskState.ARCHIVED);
		TaskView archived = direction.first(peers).task(task);
		assertThat(archived.retried()).isZero();
		assertThat(archived.lastError()).contains("skip");
		assertCounters(peers, 1, 1);
	}

	@ParameterizedTest
	@EnumSource
	void revokedTaskIsGoneAndDidNotFail(Direction direction, Peers peers) {
		TaskView task = direction.first(peers)
			.enqueue(Task.of("report", "{}"), TaskOptions.of((options) -> options.retention(Duration.ofHours(1))));
		PeerServer server = direction.second(peers)
			.serve(ServerSpec.ofDefaultQueue().with("report", Behaviour.of(Action.REVOKE)));
		server.awaitEnded();
		assertDone(peers, task);
		assertCounters(peers, 1, 0);
	}

	@ParameterizedTest
	@EnumSource
	void errorThatIsNoFailureUsesNoRetryAndIsNotCounted(Direction direction, Peers peers) {
		TaskView task = direction.first(peers).enqueue("report", "{}");
		direction.second(peers).serve(ServerSpec.ofDefaultQueue().with("report", Behaviour.of(Action.POSTPONE)));
		awaitState(direction.first(peers), task, TaskState.RETRY);
		TaskView postponed = direction.first(peers).task(task);
		assertThat(postponed.retried()).isZero();
		assertThat(postponed.lastError()).contains("postponed");
		assertThat(postponed.lastFailedAt()).isNotNull();
		assertCounters(peers, 0, 0);
	}

	@ParameterizedTest
	@EnumSource
	void errorsThatAreNoFailuresMayExceedMaxRetry(Direction direction, Peers peers) {
		TaskView task = direction.first(peers)
			.enqueue(Task.of("report", "{}"), TaskOptions.of((options) -> options.maxRetry(1)));
		ServerSpec postponing = ServerSpec.ofDefaultQueue()
			.withRetryDelay(Duration.ZERO)
			.with("report", Behaviour.of(Action.POSTPONE));
		try (PeerServer server = direction.second(peers).serve(postponing)) {
			for (int attempt = 1; attempt <= 4; attempt++) {
				Attempt started = server.awaitStarted();
				assertThat(started.taskId()).isEqualTo(task.id());
				assertThat(started.retried()).as("retries before attempt %d", attempt).isZero();
			}
		}
		TaskView postponed = direction.first(peers).task(task);
		assertThat(postponed.state()).isIn(TaskState.RETRY, TaskState.PENDING);
		assertThat(postponed.retried()).isZero();
		assertCounters(peers, 0, 0);
	}

	@ParameterizedTest
	@Tag("slow")
	@EnumSource
	void timedOutAttemptFailsWithSameText(Direction direction, Peers peers) {
		TaskView task = direction.first(peers)
			.enqueue(Task.of("report", "{}"), TaskOptions.of((options) -> options.timeout(Duration.ofSeconds(6))));
		PeerServer server = direction.second(peers)
			.serve(ServerSpec.ofDefaultQueue().with("report", Behaviour.of(Action.BLOCK)));
		assertThat(server.awaitStarted().taskId()).isEqualTo(task.id());
		assertThat(server.awaitEnded().cancelled()).isEqualTo("context deadline exceeded");
		awaitState(direction.first(peers), task, TaskState.RETRY);
		assertThat(direction.first(peers).task(task).lastError()).isEqualTo("context deadline exceeded");
	}

	@ParameterizedTest
	@EnumSource
	void scheduledTaskIsForwardedByTheOtherWhenDue(Direction direction, Peers peers) {
		TaskView task = direction.first(peers)
			.enqueue(Task.of("report", "{}"), TaskOptions.of((options) -> options.processIn(Duration.ofSeconds(1))));
		assertThat(direction.first(peers).task(task).state()).isEqualTo(TaskState.SCHEDULED);
		assertThat(direction.second(peers).serve(ServerSpec.ofDefaultQueue()).awaitStarted().taskId())
			.isEqualTo(task.id());
		assertDone(peers, task);
	}

	private static void awaitState(Peer peer, TaskView task, TaskState state) {
		await().untilAsserted(() -> assertThat(peer.task(task).state()).isEqualTo(state));
	}

	private static void assertDone(Peers peers, TaskView task) {
		await().untilAsserted(() -> assertThat(peers.go().exists(task)).isFalse());
		assertThat(peers.java().exists(task)).isFalse();
		assertThat(peers.go().queue(task.queue()).tasks()).isEmpty();
	}

	private static void assertCounters(Peers peers, long processed, long failed) {
		QueueView go = peers.go().queue("default");
		assertThat(go.processed()).isEqualTo(processed);
		assertThat(go.failed()).isEqualTo(failed);
		assertThat(go.processedTotal()).isEqualTo(processed);
		assertThat(go.failedTotal()).isEqualTo(failed);
		assertThat(peers.java().queue("default")).isEqualTo(go);
	}

}
