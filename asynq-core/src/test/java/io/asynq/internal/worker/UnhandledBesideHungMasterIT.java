package io.asynq.internal.worker;

import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

import io.asynq.handler.TaskMux;
import io.asynq.internal.broker.RedisBroker;
import io.asynq.internal.enqueue.EnqueueRequest;
import io.asynq.internal.enqueue.Placement;
import io.asynq.internal.lane.Lanes;
import io.asynq.internal.lane.QueueRound;
import io.asynq.internal.lifecycle.LoopErrorLog;
import io.asynq.internal.lifecycle.Loops;
import io.asynq.internal.lifecycle.StopBudget;
import io.asynq.internal.lifecycle.Waker;
import io.asynq.internal.redis.RedisState;
import io.asynq.internal.redis.TaskMessage;
import io.asynq.server.ServerOptions;
import io.asynq.server.ServerState;
import io.asynq.test.RedisClusterExtension;
import io.asynq.test.TestRedisCluster;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.springframework.core.task.SimpleAsyncTaskExecutor;
import org.springframework.data.redis.connection.RedisConnectionFactory;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tasks that wait for a handler, while the master that has the list of all servers hangs
 * for good.
 */
@Timeout(300)
class UnhandledBesideHungMasterIT {

	@RegisterExtension
	static final RedisClusterExtension redis = new RedisClusterExtension(Duration.ofMinutes(10));

	private static final Duration SOON = Duration.ofSeconds(20);

	private final TestRedisCluster cluster = TestRedisCluster.shared();

	private final RedisState state;

	private final RedisBroker broker;

	private final TaskMux mux = new TaskMux().handle("other", (task, context) -> null);

	private final MissingHandlers missing = new MissingHandlers(this.mux, ServerOptions.builder().build(), new Waker());

	private final ServerStatus status = new ServerStatus();

	UnhandledBesideHungMasterIT(RedisConnectionFactory factory) {
		this.state = new RedisState(factory);
		this.broker = new RedisBroker(factory, Clock.systemUTC(), RedisBroker.DEFAULT_LEASE_DURATION, (task) -> {
		});
		this.status.set(ServerState.ACTIVE);
	}

	@Test
	void tasksWhoseHandlerIsHereAreDueAndOthersComeBackByThemselves() throws Exception {
		String lists = this.cluster.masterOf("asynq:servers");
		List<String> queues = this.cluster.nodes()
			.stream()
			.filter((node) -> !node.equals(lists))
			.flatMap((node) -> this.cluster.namesOn(node, (name) -> RedisState.key(name, "pending"), 2).stream())
			.toList();
		queues.forEach((queue) -> List.of("a", "b", "c").forEach((type) -> park(queue, type)));
		Map<String, Long> before = this.state.scores(queues.get(0), "retry");
		UnhandledTasks loop = loop(queues);
		try (AutoCloseable hung = this.cluster.pause(lists)) {
			this.mux.handle("b", (task, context) -> null);
			for (int round = 0; round < 2; round++) {
				assertThat(CompletableFuture.runAsync(loop::runOnce, new SimpleAsyncTaskExecutor("loop-")))
					.succeedsWithin(SOON);
			}
			Awaitility.await()
				.atMost(SOON)
				.untilAsserted(() -> assertThat(queues)
					.allSatisfy((queue) -> assertThat(this.state.scores(queue, "retry").get("b"))
						.isLessThanOrEqualTo(Clock.systemUTC().instant().getEpochSecond())));
			assertThat(this.state.scores(queues.get(0), "retry")).containsEntry("a", before.get("a"))
				.containsEntry("c", before.get("c"));
		}
	}

	private UnhandledTasks loop(List<String> queues) {
		Lanes lanes = new Lanes(queues, () -> true, this.broker.servers()::masters,
				new SimpleAsyncTaskExecutor("lane-"), new LoopErrorLog());
		queues.forEach(lanes::of);
		return new UnhandledTasks(this.broker.unhandled(), this.broker.servers()::served, this.missing, this.status,
				queues, new QueueRound("asynq-unhandled", lanes, this.broker.work()::find), lanes, new Loops(
						() -> false, new LoopErrorLog(), new StopBudget(Duration.ZERO, Duration.ZERO, Duration.ZERO)));
	}

	private void park(String queue, String type) {
		this.broker.enqueuer()
			.enqueue(new EnqueueRequest(TaskMessage.builder(type, type, queue).maxRetry(3).timeoutSeconds(60).build(),
					new Placement.Pending(), null));
		LeasedTask task = this.broker.dequeuer().dequeue(queue, 1).tasks().get(0);
		this.broker.completer()
			.report(List.of(new Outcome.Unhandled(task, "no handler", Duration.ofMinutes(1), Duration.ofDays(7))));
	}

}
