package io.asynq.interop;

import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import io.asynq.EnqueueAttempt;
import io.asynq.Task;
import io.asynq.TaskOptions;
import io.asynq.interop.peer.Attempt;
import io.asynq.interop.peer.Behaviour;
import io.asynq.interop.peer.InteropTest;
import io.asynq.interop.peer.PeerServer;
import io.asynq.interop.peer.Peers;
import io.asynq.interop.peer.QueueView;
import io.asynq.interop.peer.RawRedis;
import io.asynq.interop.peer.ServerSpec;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * A Go and a Java server share the work.
 */
@Tag("slow")
@InteropTest
class MixedFleetIT {

	private static final int HALF = 5_000;

	@Test
	void mixedFleetRunsTenThousandTasksExactlyOnce(Peers peers, RawRedis redis) {
		peers.go().enqueueMany("default", "work", "go-", HALF);
		enqueueFromJava(peers);
		// Neither starts before both are ready
		peers.go().inspector().pause("default");
		ServerSpec spec = ServerSpec.ofDefaultQueue()
			.withConcurrency(8)
			.with("work", Behaviour.takes(Duration.ofMillis(5)));
		PeerServer go = peers.go().serve(spec);
		PeerServer java = peers.java().serve(spec);
		await().untilAsserted(() -> assertThat(peers.go().inspector().servers()).hasSize(2));
		peers.go().inspector().unpause("default");
		await().atMost(Duration.ofMinutes(1))
			.pollInterval(Duration.ofMillis(200))
			.untilAsserted(() -> assertThat(peers.go().queue("default").tasks()).isEmpty());
		go.close();
		java.close();

		List<String> byGo = go.drainStarted().stream().map(Attempt::taskId).toList();
		List<String> byJava = java.drainStarted().stream().map(Attempt::taskId).toList();
		assertThat(byGo).isNotEmpty();
		assertThat(byJava).isNotEmpty();
		assertThat(byGo.size() + byJava.size()).isEqualTo(2 * HALF);
		Set<String> worked = new HashSet<>(byGo);
		worked.addAll(byJava);
		assertThat(worked).hasSize(2 * HALF);
		QueueView queue = peers.go().queue("default");
		assertThat(queue.processed()).isEqualTo(2L * HALF);
		assertThat(queue.processedTotal()).isEqualTo(2L * HALF);
		assertThat(queue.failed()).isZero();
		assertThat(peers.java().queue("default")).isEqualTo(queue);
		assertThat(redis.keys("asynq:{default}:*")).allMatch((key) -> key.contains(":processed"));
	}

	private static void enqueueFromJava(Peers peers) {
		Stream<Task> tasks = IntStream.range(0, HALF)
			.mapToObj((number) -> Task.of("work", "java-" + number)
				.withOptions(TaskOptions.of((options) -> options.taskId("java-" + number))));
		assertThat(peers.java().client().enqueueAll(tasks.toList())).hasSize(HALF).allMatch(EnqueueAttempt::enqueued);
	}

}
