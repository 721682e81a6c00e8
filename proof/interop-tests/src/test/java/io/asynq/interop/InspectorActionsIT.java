package io.asynq.interop;

import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

import io.asynq.AsynqException;
import io.asynq.QueueNotEmptyException;
import io.asynq.QueueNotFoundException;
import io.asynq.QueueStateException;
import io.asynq.Task;
import io.asynq.TaskNotFoundException;
import io.asynq.TaskOptions;
import io.asynq.TaskState;
import io.asynq.TaskStateException;
import io.asynq.inspect.AsynqInspector;
import io.asynq.inspect.Page;
import io.asynq.internal.redis.RedisState;
import io.asynq.interop.peer.GoException;
import io.asynq.interop.peer.InteropTest;
import io.asynq.interop.peer.PeerServer;
import io.asynq.interop.peer.Peers;
import io.asynq.interop.peer.ServerSpec;
import io.asynq.interop.peer.TaskView;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.data.redis.connection.RedisConnectionFactory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.params.provider.Arguments.argumentSet;

/**
 * What both inspectors change: both leave the same state. One works on the queue {@code
 * java}, the other on its twin {@code go}.
 */
@InteropTest
class InspectorActionsIT {

	private final RedisState state;

	private final Instant now = Clock.systemUTC().instant();

	private final TwinQueues twins;

	InspectorActionsIT(RedisConnectionFactory connections) {
		this.state = new RedisState(connections);
		this.twins = new TwinQueues(this.state, this.now);
	}

	static Stream<Arguments> moves() {
		List<Arguments> moves = new ArrayList<>();
		for (String action : List.of("run", "archive", "delete")) {
			for (TaskState state : TaskState.stored()) {
				moves.add(argumentSet(action + " " + state.wireName(), action, state));
			}
		}
		return moves.stream();
	}

	@ParameterizedTest
	@MethodSource("moves")
	void bothMoveOneTaskAlike(String action, TaskState from, Peers peers) {
		seedTwins();
		String refusal = refusal(() -> one(peers, action, "java", from.wireName()));
		String refusalOfGo = refusal(() -> peers.go().inspection().one(action, "go", from.wireName()));
		assertThat(refusal.isEmpty()).as("refused by Java: %s; by Go: %s", refusal, refusalOfGo)
			.isEqualTo(refusalOfGo.isEmpty());
		assertThat(this.twins.contents("java")).isEqualTo(this.twins.contents("go"));
		assertThat(peers.java().queue("java")).isEqualTo(peers.go().queue("java"));
	}

	@ParameterizedTest
	@MethodSource("moves")
	void bothMoveAllTasksOfStateAlike(String action, TaskState from, Peers peers) {
		seedTwins();
		this.twins.seed("java", from, "more", 7);
		this.twins.seed("go", from, "more", 7);
		boolean possible = refusal(() -> assertThat(all(peers, action, "java", from)).isEqualTo(2)).isEmpty();
		boolean possibleInGo = refusal(
				() -> assertThat(peers.go().inspection().all(action, "go", from, "g")).isEqualTo(2))
			.isEmpty();
		assertThat(possible).isEqualTo(possibleInGo);
		assertThat(this.twins.contents("java")).isEqualTo(this.twins.contents("go"));
	}

	@Test
	void bothReplacePayload(Peers peers) {
		seedTwins();
		byte[] payload = "new \u00fc".getBytes(StandardCharsets.UTF_8);
		peers.java().inspector().updateTaskPayload("java", "scheduled", payload);
		peers.go().inspection().updatePayload("go", "scheduled", payload);
		assertThat(this.twins.contents("java")).isEqualTo(this.twins.contents("go"));
		assertThat(peers.go().task("java", "scheduled").payload()).isEqualTo("new \u00c3\u00bc");
		assertThat(peers.java().task("go", "scheduled").payload()).isEqualTo("new \u00c3\u00bc");
		for (TaskState state : TaskState.stored()) {
			if (state != TaskState.SCHEDULED) {
				assertThatExceptionOfType(TaskStateException.class)
					.isThrownBy(() -> peers.java().inspector().updateTaskPayload("java", state.wireName(), payload));
				assertThatExceptionOfType(GoException.class)
					.isThrownBy(() -> peers.go().inspection().updatePayload("go", state.wireName(), payload));
			}
		}
	}

	@Test
	void bothPauseAndResume(Peers peers) {
		AsynqInspector inspector = peers.java().inspector();
		peers.java().enqueue("report", "1");
		inspector.pauseQueue("default");
		assertThat(peers.go().queue("default").paused()).isTrue();
		assertThatExceptionOfType(GoException.class).isThrownBy(() -> peers.go().inspector().pause("default"));
		peers.go().inspector().unpause("default");
		assertThat(inspector.queueInfo("default").paused()).isFalse();
		assertThatExceptionOfType(QueueStateException.class).isThrownBy(() -> inspector.resumeQueue("default"));
		peers.go().inspector().pause("default");
		assertThatExceptionOfType(QueueStateException.class).isThrownBy(() -> inspector.pauseQueue("default"));
		inspector.resumeQueue("default");
		assertThat(peers.go().queue("default").paused()).isFalse();
	}

	@Test
	void goDoesNotSeeQueueDeletedByJava(Peers peers) {
		this.twins.seedEveryState("java");
		AsynqInspector inspector = peers.java().inspector();
		assertThatExceptionOfType(QueueNotEmptyException.class).isThrownBy(() -> inspector.deleteQueue("java", false));
		assertThatExceptionOfType(QueueNotEmptyException.class).isThrownBy(() -> inspector.deleteQueue("java", true))
			.withMessageContaining("1 active");
		assertThatExceptionOfType(GoException.class).isThrownBy(() -> peers.go().inspection().deleteQueue("java", true))
			.withMessageContaining("active");
		this.state.redis().delete(List.of("asynq:{java}:active", "asynq:{java}:lease", "asynq:{java}:t:active"));
		inspector.deleteQueue("java", true);
		assertThat(this.state.redis().keys("*{java}*")).isEmpty();
		assertThat(peers.go().queues()).isEmpty();
		assertThatExceptionOfType(GoException.class)
			.isThrownBy(() -> peers.go().inspection().list("java", TaskState.RETRY, "", 1, 30))
			.satisfies((ex) -> assertThat(ex.kind()).isEqualTo("queue-not-found"));
		peers.go().enqueue(Task.of("report", "1"), TaskOptions.of((options) -> options.queue("java")));
		assertThat(inspector.queueInfo("java").size()).isOne();
	}

	@Test
	void javaDoesNotSeeQueueDeletedByGo(Peers peers) {
		peers.go().enqueue("report", "1");
		peers.go().inspection().deleteQueue("default", true);
		AsynqInspector inspector = peers.java().inspector();
		assertThatExceptionOfType(QueueNotFoundException.class).isThrownBy(() -> inspector.queueInfo("default"));
		assertThatExceptionOfType(QueueNotFoundException.class)
			.isThrownBy(() -> inspector.deleteQueue("default", true));
		assertThatExceptionOfType(QueueNotFoundException.class)
			.isThrownBy(() -> inspector.listTasks("default", TaskState.PENDING, Page.first()));
	}

	@Test
	void bothReportMissingTasksAndQueues(Peers peers) {
		peers.java().enqueue("report", "1");
		AsynqInspector inspector = peers.java().inspector();
		for (String action : List.of("run", "archive", "delete")) {
			assertThatExceptionOfType(TaskNotFoundException.class)
				.isThrownBy(() -> one(peers, action, "default", "gone"));
			assertThatExceptionOfType(QueueNotFoundException.class)
				.isThrownBy(() -> one(peers, action, "nowhere", "gone"));
			assertThatThrownBy(() -> peers.go().inspection().one(action, "default", "gone"))
				.extracting((ex) -> ((GoException) ex).kind())
				.isEqualTo("task-not-found");
			assertThatThrownBy(() -> peers.go().inspection().one(action, "nowhere", "gone"))
				.extracting((ex) -> ((GoException) ex).kind())
				.isEqualTo("queue-not-found");
		}
		assertThat(inspector.groups("nowhere")).isEmpty();
		assertThat(peers.go().inspector().groups("nowhere")).isEmpty();
	}

	@Test
	void idleServerNoticesTaskRunByHand(Peers peers) {
		PeerServer server = peers.java().serve(ServerSpec.ofDefaultQueue());
		TaskView first = peers.java().enqueue("report", "first");
		assertThat(server.awaitStarted().taskId()).isEqualTo(first.id());
		this.state.seedArchived(this.now, TwinQueues.message("default", "one"));
		this.state.seedRetry(this.now.plusSeconds(600), TwinQueues.message("default", "all"));
		peers.java().inspector().runTask("default", "one");
		assertThat(server.awaitStarted().taskId()).isEqualTo("one");
		peers.java().inspector().runAllTasks("default", TaskState.RETRY);
		assertThat(server.awaitStarted().taskId()).isEqualTo("all");
	}

	private static void one(Peers peers, String action, String queue, String id) {
		AsynqInspector inspector = peers.java().inspector();
		switch (action) {
			case "run" -> inspector.runTask(queue, id);
			case "archive" -> inspector.archiveTask(queue, id);
			default -> inspector.deleteTask(queue, id);
		}
	}

	private static long all(Peers peers, String action, String queue, TaskState from) {
		AsynqInspector inspector = peers.java().inspector();
		boolean grouped = from == TaskState.AGGREGATING;
		return switch (action) {
			case "run" -> grouped ? inspector.runAllAggregatingTasks(queue, "g") : inspector.runAllTasks(queue, from);
			case "archive" ->
				grouped ? inspector.archiveAllAggregatingTasks(queue, "g") : inspector.archiveAllTasks(queue, from);
			default ->
				grouped ? inspector.deleteAllAggregatingTasks(queue, "g") : inspector.deleteAllTasks(queue, from);
		};
	}

	private static String refusal(Runnable call) {
		try {
			call.run();
			return "";
		}
		catch (AsynqException | GoException ex) {
			return String.valueOf(ex.getMessage());
		}
	}

	private void seedTwins() {
		this.twins.seedEveryState("java");
		this.twins.seedEveryState("go");
	}

}
