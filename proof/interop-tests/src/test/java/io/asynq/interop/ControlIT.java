package io.asynq.interop;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.Set;

import io.asynq.Task;
import io.asynq.TaskOptions;
import io.asynq.TaskState;
import io.asynq.inspect.ServerInfo;
import io.asynq.internal.broker.RedisBroker;
import io.asynq.interop.peer.Attempt;
import io.asynq.interop.peer.Behaviour;
import io.asynq.interop.peer.Behaviour.Action;
import io.asynq.interop.peer.Direction;
import io.asynq.interop.peer.InteropTest;
import io.asynq.interop.peer.PeerServer;
import io.asynq.interop.peer.Peers;
import io.asynq.interop.peer.RawRedis;
import io.asynq.interop.peer.ServerSpec;
import io.asynq.interop.peer.ServerView;
import io.asynq.interop.peer.TaskView;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.data.redis.connection.RedisConnectionFactory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.awaitility.Awaitility.await;

/**
 * One controls what the other does: cancellation, pause, shutdown, servers.
 */
@InteropTest
class ControlIT {

	@ParameterizedTest
	@EnumSource
	void eachCancelsTasksOfTheOther(Direction direction, Peers peers) {
		PeerServer server = direction.second(peers)
			.serve(ServerSpec.ofDefaultQueue()
				.withShutdownTimeout(Duration.ofMillis(200))
				.with("report", Behaviour.of(Action.BLOCK)));
		TaskView task = direction.first(peers).enqueue("report", "{}");
		TaskView bystander = direction.first(peers).enqueue("report", "{}");
		server.awaitStarted();
		server.awaitStarted();
		// A server subscribes some time after its start; earlier cancellations are lost
		await().untilAsserted(() -> {
			direction.first(peers).cancel(task.id());
			assertThat(direction.first(peers).task(task).state()).isEqualTo(TaskState.RETRY);
		});
		assertThat(server.awaitEnded().cancelled()).isEqualTo("context canceled");
		TaskView cancelled = direction.first(peers).task(task);
		assertThat(cancelled.lastError()).isEqualTo("context canceled");
		assertThat(cancelled.retried()).isEqualTo(1);
		assertThat(direction.first(peers).task(bystander).state()).isEqualTo(TaskState.ACTIVE);
	}

	@Test
	void javaLeavesQueuePausedByGoAloneAndNoticesResume(Peers peers) {
		PeerServer server = peers.java().serve(ServerSpec.ofDefaultQueue().withQueues(Map.of("default", 1, "open", 1)));
		peers.go().enqueue("report", "first");
		assertThat(server.awaitStarted().payload()).isEqualTo("first");
		peers.go().inspector().pause("default");
		TaskView waiting = peers.go().enqueue("report", "second");
		TaskView open = peers.go()
			.enqueue(Task.of("report", "third"), TaskOptions.of((options) -> options.queue("open")));
		assertThat(server.awaitStarted().taskId()).isEqualTo(open.id());
		await().untilAsserted(() -> assertThat(peers.go().exists(open)).isFalse());
		assertThat(peers.go().task(waiting).state()).isEqualTo(TaskState.PENDING);
		assertThat(peers.java().queue("default").paused()).isTrue();
		assertThat(peers.java().queue("default")).isEqualTo(peers.go().queue("default"));
		peers.go().inspector().unpause("default");
		assertThat(server.awaitStarted().taskId()).isEqualTo(waiting.id());
		assertThat(peers.java().queue("default").paused()).isFalse();
	}

	@Test
	void eachServerHasItsOwnQueueWeights(Peers peers, RedisConnectionFactory connections) {
		List<Map<String, Integer>> weights = List.of(Map.of("default", 3, "low", 1), Map.of("default", 1, "low", 5),
				Map.of("default", 2, "low", 7));
		peers.java().serve(ServerSpec.ofDefaultQueue().withQueues(weights.get(0)));
		peers.java().serve(ServerSpec.ofDefaultQueue().withQueues(weights.get(1)));
		peers.go().serve(ServerSpec.ofDefaultQueue().withQueues(weights.get(2)));
		await().untilAsserted(() -> {
			assertThat(peers.go().inspector().servers()).extracting(ServerView::queues)
				.containsExactlyInAnyOrderElementsOf(weights);
			assertThat(peers.java().inspector().servers()).extracting(ServerInfo::queues)
				.containsExactlyInAnyOrderElementsOf(weights);
		});
		RedisBroker broker = new RedisBroker(connections, Clock.systemUTC(), RedisBroker.DEFAULT_LEASE_DURATION,
				(broken) -> {
				});
		assertThat(broker.servers().countIfAllPublishTypes(Set.of("other"))).isEqualTo(3);
		assertThat(broker.servers().countIfAllPublishTypes(Set.of("other", "default"))).as("Go's do not").isZero();
	}

	@Test
	void goShowsJavaServerAndItsWorkers(Peers peers) {
		Instant before = Clock.systemUTC().instant();
		PeerServer server = peers.java()
			.serve(ServerSpec.ofDefaultQueue()
				.withConcurrency(3)
				.withQueues(Map.of("default", 2, "low", 1))
				.with("report", Behaviour.of(Action.HOLD)));
		TaskView task = peers.java()
			.enqueue(Task.of("report", "{}"), TaskOptions.of((options) -> options.timeout(Duration.ofMinutes(5))));
		Attempt attempt = server.awaitStarted();
		await().untilAsserted(() -> assertThat(peers.go().inspector().servers()).singleElement()
			.satisfies((shown) -> assertThat(shown.activeWorkers()).hasSize(1)));
		ServerView shown = peers.go().inspector().servers().get(0);
		assertThat(shown.concurrency()).isEqualTo(3);
		assertThat(shown.queues()).isEqualTo(Map.of("default", 2, "low", 1));
		assertThat(shown.strictPriority()).isFalse();
		assertThat(shown.status()).isEqualTo("active");
		assertThat(shown.pid()).isEqualTo(ProcessHandle.current().pid());
		assertThat(shown.host()).isNotBlank();
		assertThat(shown.id()).hasSize(36);
		assertThat(shown.started()).isCloseTo(before, within(60, ChronoUnit.SECONDS));
		ServerView.Worker worker = shown.activeWorkers().get(0);
		assertThat(worker.taskId()).isEqualTo(task.id());
		assertThat(worker.type()).isEqualTo("report");
		assertThat(worker.payload()).isEqualTo("{}");
		assertThat(worker.queue()).isEqualTo("default");
		assertThat(worker.started()).isCloseTo(before, within(60, ChronoUnit.SECONDS));
		assertThat(worker.deadline()).isCloseTo(attempt.deadline(), within(1, ChronoUnit.SECONDS));
		server.quiet();
		await().untilAsserted(() -> assertThat(peers.go().inspector().servers()).singleElement()
			.satisfies((quiet) -> assertThat(quiet.status()).isEqualTo("stopped")));
		server.release();
		server.close();
		assertThat(peers.go().inspector().servers()).isEmpty();
	}

	@ParameterizedTest
	@EnumSource
	void taskInterruptedByShutdownIsTakenFirstByTheOther(Direction direction, Peers peers, RawRedis redis) {
		ServerSpec one = ServerSpec.ofDefaultQueue().withConcurrency(1).withShutdownTimeout(Duration.ofMillis(200));
		TaskView interrupted;
		TaskView next;
		try (PeerServer server = direction.first(peers).serve(one.with("report", Behaviour.of(Action.BLOCK)))) {
			interrupted = direction.first(peers).enqueue("report", "1");
			server.awaitStarted();
			next = direction.first(peers).enqueue("report", "2");
		}
		assertThat(redis.list("asynq:{default}:pending")).containsExactly(next.id(), interrupted.id());
		assertThat(redis.keys("asynq:{default}:*")).doesNotContain("asynq:{default}:lease", "asynq:{default}:active");
		assertThat(peers.java().queue("default")).isEqualTo(peers.go().queue("default"));
		assertThat(peers.go().queue("default").failed()).isZero();
		PeerServer server = direction.second(peers).serve(one);
		Attempt again = server.awaitStarted();
		assertThat(again.taskId()).isEqualTo(interrupted.id());
		assertThat(again.retried()).isZero();
		assertThat(server.awaitStarted().taskId()).isEqualTo(next.id());
	}

	@ParameterizedTest
	@EnumSource
	void taskArchivedByGoRunsOnlyWhenRunByHand(Direction direction, Peers peers) {
		TaskView task = direction.first(peers).enqueue("report", "put aside");
		peers.go().inspector().archive(task);
		PeerServer server = direction.second(peers).serve(ServerSpec.ofDefaultQueue());
		direction.first(peers).enqueue("report", "other");
		assertThat(server.awaitStarted().payload()).isEqualTo("other");
		assertThat(peers.java().task(task).state()).isEqualTo(TaskState.ARCHIVED);
		peers.go().inspector().run(task);
		assertThat(server.awaitStarted().taskId()).isEqualTo(task.id());
	}

	@Test
	void goAggregatesGroupFilledByJava(Peers peers) {
		TaskOptions grouped = TaskOptions.of((options) -> options.group("g"));
		List<TaskView> members = List.of(peers.java().enqueue(Task.of("report", "1"), grouped),
				peers.java().enqueue(Task.of("report", "2"), grouped));
		PeerServer server = peers.go().serveGroupsOfTwo(ServerSpec.ofDefaultQueue(), "reports");
		Attempt attempt = server.awaitStarted();
		assertThat(attempt.type()).isEqualTo("reports");
		assertThat(attempt.payload()).isIn("g:1,2", "g:2,1");
		await().untilAsserted(() -> assertThat(members).noneMatch((member) -> peers.java().exists(member)));
		assertThat(peers.java().queue("default").groups()).isZero();
	}

	@Test
	void goAggregatesGroupWhoseMembersJavaForwarded(Peers peers) {
		TaskOptions grouped = TaskOptions.of((options) -> options.group("g").processIn(Duration.ofSeconds(1)));
		peers.java().enqueue(Task.of("report", "1"), grouped);
		peers.java().enqueue(Task.of("report", "2"), grouped);
		PeerServer forwarding = peers.java().serve(ServerSpec.ofDefaultQueue());
		await().untilAsserted(() -> assertThat(peers.go().inspector().groups("default")).isEqualTo(Map.of("g", 2)));
		assertThat(forwarding.drainStarted()).isEmpty();
		forwarding.close();
		PeerServer aggregating = peers.go().serveGroupsOfTwo(ServerSpec.ofDefaultQueue(), "reports");
		assertThat(aggregating.awaitStarted().payload()).isIn("g:1,2", "g:2,1");
	}

}
