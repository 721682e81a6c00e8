package io.asynq.interop;

import java.time.Clock;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;

import io.asynq.TaskState;
import io.asynq.internal.broker.RedisBroker;
import io.asynq.internal.redis.LimitSeeds;
import io.asynq.internal.redis.RedisState;
import io.asynq.interop.peer.Attempt;
import io.asynq.interop.peer.InteropTest;
import io.asynq.interop.peer.PeerServer;
import io.asynq.interop.peer.Peers;
import io.asynq.interop.peer.ServerSpec;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.data.redis.connection.RedisConnectionFactory;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tasks that wait for a token of a limit, which Go knows nothing of: to Go they are due
 * for a retry in an hour.
 */
@InteropTest
class LimitedTasksBesideGoIT {

	private static final String QUEUE = "default";

	private final RedisState state;

	private final RedisBroker broker;

	private final LimitSeeds seeds;

	LimitedTasksBesideGoIT(RedisConnectionFactory connections) {
		this.state = new RedisState(connections);
		this.broker = new RedisBroker(connections, Clock.systemUTC(), RedisBroker.DEFAULT_LEASE_DURATION, (broken) -> {
		});
		this.seeds = new LimitSeeds(this.broker);
	}

	@BeforeEach
	void oneTokenIsHeld() {
		this.seeds.concurrent("pdf", 1).hold(QUEUE, "holder", "pdf");
	}

	@ParameterizedTest
	@ValueSource(strings = { "run", "archive", "delete" })
	void waitingTaskThatGoMovedGetsNoToken(String action, Peers peers) {
		this.seeds.park(QUEUE, "moved", "pdf").park(QUEUE, "waits", "pdf");
		peers.go().inspection().one(action, QUEUE, "moved");
		assertThat(release(QUEUE)).containsExactly(QUEUE);
		List<String> pending = this.broker.dequeuer()
			.dequeue(QUEUE, 10)
			.tasks()
			.stream()
			.map((task) -> task.message().id())
			.toList();
		assertThat(pending).isEqualTo(action.equals("run") ? List.of("waits", "moved") : List.of("waits"));
		assertThat(this.state.exists("asynq:{default}:t:moved")).isEqualTo(!action.equals("delete"));
		assertThat(this.state.scores(QUEUE, "archived").keySet())
			.isEqualTo(action.equals("archive") ? Set.of("moved") : Set.of());
		assertThat(granted(QUEUE, "waits")).isTrue();
	}

	@ParameterizedTest
	@ValueSource(strings = { "run", "archive", "delete" })
	void noTokenIsLostWhenGoMovesAllWaitingTasks(String action, Peers peers) {
		IntStream.range(0, 20).forEach((i) -> this.seeds.park(QUEUE, "t" + i, "pdf"));
		assertThat(peers.go().inspection().all(action, QUEUE, TaskState.RETRY, "g")).isEqualTo(20);
		assertThat(release(QUEUE)).isEmpty();
		assertThat(this.state.redis().keys("asynqj:{default}:waiting*")).isEmpty();
		assertThat(granted(QUEUE, "another")).isTrue();
	}

	@Test
	void noTokenIsLostWhenGoDeletesTheQueue(Peers peers) {
		this.seeds.park(QUEUE, "deleted", "pdf");
		peers.go().inspection().deleteQueue(QUEUE, true);
		this.seeds.park("low", "waits", "pdf");
		assertThat(release(QUEUE)).containsExactly("low");
		assertThat(granted("low", "waits")).isTrue();
		assertThat(this.state.redis().keys("asynqj:{default}:waiting*")).isEmpty();
	}

	/** It runs after the hour, whatever the limit. */
	@Test
	void waitingTaskRunsUncountedWhenOnlyGoServersAreLeft(Peers peers) {
		this.seeds.park(QUEUE, "waits", "pdf");
		assertThat(peers.go().task(QUEUE, "waits")).isEqualTo(peers.java().task(QUEUE, "waits"));
		assertThat(peers.go().queue(QUEUE).failed()).isZero();
		this.state.redis().opsForZSet().add("asynq:{default}:retry", "waits", 1);
		PeerServer go = peers.go().serve(ServerSpec.ofDefaultQueue());
		assertThat(go.awaitStarted()).extracting(Attempt::taskId, Attempt::retried).containsExactly("waits", 0);
		assertThat(peers.go().queue(QUEUE).failed()).isZero();
		assertThat(release(QUEUE)).as("nobody waits any more").isEmpty();
		assertThat(granted(QUEUE, "another")).isTrue();
	}

	private Set<String> release(String queue) {
		return this.seeds.release(queue, "holder", "pdf");
	}

	private boolean granted(String queue, String id) {
		return this.seeds.take(queue, id, true, "pdf");
	}

}
