package io.asynq.interop.crash;

import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;

import io.asynq.Task;
import io.asynq.TaskOptions;
import io.asynq.TaskState;
import io.asynq.interop.peer.Attempt;
import io.asynq.interop.peer.Behaviour;
import io.asynq.interop.peer.GoPeer;
import io.asynq.interop.peer.InteropTest;
import io.asynq.interop.peer.PeerServer;
import io.asynq.interop.peer.Peers;
import io.asynq.interop.peer.RawRedis;
import io.asynq.interop.peer.ServerSpec;
import io.asynq.interop.peer.TaskView;
import io.asynq.test.TestRedis;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.core.StringRedisTemplate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * A Go worker whose clock is a minute behind runs a task that still has marks of a killed
 * Java server: by the clock of Redis its lease has expired before it began. A Java server
 * that observes it must leave it alone. The killed JVMs and Go's library are real, and so
 * is a Go whose clock is a minute late.
 */
@Tag("slow")
@InteropTest
class GoClockBehindIT {

	private static final String QUEUE = "crash";

	private static final ServerSpec SPEC = ServerSpec.ofDefaultQueue()
		.withQueues(Map.of(QUEUE, 1))
		.withConcurrency(1)
		.with("ledger", Behaviour.of(Behaviour.Action.HOLD));

	@TempDir(cleanup = CleanupMode.ON_SUCCESS)
	private Path directory;

	@Test
	void taskRecoveredByGoRunsOnceThoughClockOfItsWorkerIsBehind(Peers peers, RawRedis redis,
			RedisConnectionFactory connections) {
		Ledger ledger = new Ledger(this.directory.resolve("ledger"));
		TaskView task = enqueue(peers, "first");
		killJavaAtWork(ledger, redis);
		recoverInGo(peers, connections, task);
		assertThat(redis.taskHash(QUEUE, task.id())).containsKey("x-attempt");

		try (GoPeer behind = GoPeer.behind(TestRedis.shared().uri())) {
			PeerServer worker = behind.serve(SPEC);
			peers.go().inspector().run(task);
			Attempt attempt = worker.awaitStarted();
			assertThat(attempt.taskId()).isEqualTo(task.id());
			assertThat(attempt.retried()).isEqualTo(1);
			assertThat(redis.score(lease(), task.id())).isLessThanOrEqualTo(now());
			String other = leaveBehind(peers);

			try (WorkerProcess java = WorkerProcess.start(TestRedis.shared().uri(), ledger,
					this.directory.resolve("second.log"), List.of())) {
				// Abandoned tasks are recovered, so leases have been observed for that
				// long
				await().atMost(Duration.ofMinutes(3)).until(() -> !java.isAlive() || ledger.read().contains(other));
				assertThat(ledger.read()).containsExactly(other);
				assertThat(worker.drainStarted()).isEmpty();
				worker.release();
				assertThat(worker.awaitEnded().cancelled()).isNull();
				await().untilAsserted(() -> assertThat(peers.go().queue(QUEUE).tasks()).isEmpty());
			}
			assertThat(ledger.read()).containsExactly(other);
			assertThat(worker.drainStarted()).isEmpty();
		}
		// Two recoveries, which count as failures, and two successes; midnight may come
		// meanwhile
		assertThat(peers.go().queue(QUEUE).failedTotal()).isEqualTo(2);
		assertThat(peers.go().queue(QUEUE).processedTotal()).isEqualTo(4);
	}

	private static TaskView enqueue(Peers peers, String id) {
		return peers.go().enqueue(Task.of("ledger", id), TaskOptions.of((options) -> options.queue(QUEUE).taskId(id)));
	}

	private void killJavaAtWork(Ledger ledger, RawRedis redis) {
		try (WorkerProcess java = WorkerProcess.start(TestRedis.shared().uri(), ledger,
				this.directory.resolve("first.log"), List.of("--work=1h"))) {
			await().atMost(Duration.ofMinutes(5))
				.until(() -> !java.isAlive() || !redis.list("asynq:{crash}:active").isEmpty());
			java.kill();
		}
		assertThat(redis.list("asynq:{crash}:active")).hasSize(1);
	}

	/**
	 * At its start, and then once a minute, Go recovers tasks without a lease for 30 s.
	 */
	private static void recoverInGo(Peers peers, RedisConnectionFactory connections, TaskView task) {
		// A minute later
		new StringRedisTemplate(connections).opsForZSet().add(lease(), task.id(), now() - 60);
		try (PeerServer recoverer = peers.go().serve(SPEC)) {
			await().untilAsserted(
					() -> assertThat(peers.go().queue(QUEUE).tasks()).isEqualTo(Map.of(TaskState.RETRY, 1L)));
		}
	}

	/**
	 * Kills another Go worker of the same kind while it works.
	 */
	private static String leaveBehind(Peers peers) {
		TaskView other = enqueue(peers, "other");
		GoPeer dying = GoPeer.behind(TestRedis.shared().uri());
		assertThat(dying.serve(SPEC).awaitStarted().taskId()).isEqualTo(other.id());
		dying.kill();
		return other.id();
	}

	private static String lease() {
		return "asynq:{crash}:lease";
	}

	private static double now() {
		return Instant.now().getEpochSecond();
	}

}
