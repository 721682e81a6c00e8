package io.asynq.interop;

import java.time.Duration;
import java.util.List;

import io.asynq.CancelMode;
import io.asynq.TaskState;
import io.asynq.inspect.AsynqInspector;
import io.asynq.inspect.CancelResult;
import io.asynq.interop.peer.Behaviour;
import io.asynq.interop.peer.Behaviour.Action;
import io.asynq.interop.peer.InteropTest;
import io.asynq.interop.peer.PeerServer;
import io.asynq.interop.peer.Peers;
import io.asynq.interop.peer.RawRedis;
import io.asynq.interop.peer.ServerSpec;
import io.asynq.interop.peer.TaskView;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Java cancels tasks that Go servers run, for good.
 */
@InteropTest
class CancelIT {

	private static final ServerSpec SPEC = ServerSpec.ofDefaultQueue()
		.withRetryDelay(Duration.ofSeconds(10))
		.with("report", Behaviour.of(Action.BLOCK));

	@ParameterizedTest
	@EnumSource(names = { "ARCHIVE", "DELETE" })
	void whatGoRetriesDoesNotRunAgainWhileJavaServerLives(CancelMode mode, Peers peers, RawRedis redis) {
		PeerServer go = peers.go().serve(SPEC);
		TaskView task = peers.go().enqueue("report", "{}");
		assertThat(go.awaitStarted().taskId()).isEqualTo(task.id());
		PeerServer java = peers.java().serve(SPEC);
		AsynqInspector inspector = peers.java().inspector();
		await().until(() -> inspector.servers().size() == 2);
		assertThat(inspector.cancelTask("default", task.id(), mode)).isEqualTo(CancelResult.RECORDED);
		// A Go server subscribes some time after its start; earlier signals are lost
		await().until(() -> {
			inspector.cancelTask(task.id());
			return (mode == CancelMode.DELETE) ? !peers.go().exists(task)
					: peers.go().task(task).state() == TaskState.ARCHIVED;
		});
		assertThat(go.awaitEnded().cancelled()).isEqualTo("context canceled");
		assertThat(List.of(go.drainStarted(), java.drainStarted())).containsOnly(List.of());
		assertThat(redis.keys("asynq:{default}:*")).doesNotContain("asynq:{default}:retry", "asynq:{default}:pending",
				"asynq:{default}:active");
		assertThat(redis.keys("asynqj:{default}:cancelled")).isEmpty();
		assertThat(peers.go().queue("default").failed()).isEqualTo(1);
		if (mode == CancelMode.ARCHIVE) {
			assertThat(peers.go().task(task).lastError()).isEqualTo("context canceled");
			java.close();
			peers.go().inspector().run(task);
			assertThat(go.awaitStarted().taskId()).isEqualTo(task.id());
		}
	}

	@Test
	void withoutJavaServerGoRetriesTheTask(Peers peers, RawRedis redis) {
		PeerServer go = peers.go().serve(SPEC);
		TaskView task = peers.go().enqueue("report", "{}");
		assertThat(go.awaitStarted().taskId()).isEqualTo(task.id());
		// It subscribes some time after its start
		await().until(() -> redis.subscribers("asynq:cancel") == 1);
		assertThat(peers.java().inspector().cancelTask("default", task.id(), CancelMode.DELETE))
			.isEqualTo(CancelResult.SIGNAL_SENT);
		await().untilAsserted(() -> assertThat(peers.go().task(task).retried()).isPositive());
		assertThat(go.awaitEnded().cancelled()).isEqualTo("context canceled");
	}

	@Test
	void goShowsWaitingTaskThatJavaCancelledAsArchived(Peers peers) {
		TaskView task = peers.go().enqueue("report", "{}");
		assertThat(peers.java().inspector().cancelTask("default", task.id(), CancelMode.ARCHIVE))
			.isEqualTo(CancelResult.ARCHIVED);
		assertThat(peers.go().task(task).state()).isEqualTo(TaskState.ARCHIVED);
		assertThat(peers.go().queue("default")).isEqualTo(peers.java().queue("default"));
		assertThat(peers.go().queue("default").processed()).isZero();
	}

}
