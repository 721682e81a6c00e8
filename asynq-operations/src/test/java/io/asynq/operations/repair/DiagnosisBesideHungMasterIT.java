package io.asynq.operations.repair;

import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;

import io.asynq.internal.broker.RedisBroker;
import io.asynq.internal.enqueue.EnqueueRequest;
import io.asynq.internal.enqueue.Placement;
import io.asynq.internal.redis.TaskMessage;
import io.asynq.internal.worker.LeasedTask;
import io.asynq.internal.worker.Outcome;
import io.asynq.test.RedisClusterExtension;
import io.asynq.test.TestRedisCluster;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.springframework.core.task.SimpleAsyncTaskExecutor;
import org.springframework.data.redis.connection.RedisConnectionFactory;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The list of servers lies on a master of a cluster that hangs, unlike the queue.
 */
@Tag("slow")
@Timeout(300)
class DiagnosisBesideHungMasterIT {

	@RegisterExtension
	static final RedisClusterExtension redis = new RedisClusterExtension(Duration.ofMinutes(10));

	private final TestRedisCluster cluster = TestRedisCluster.shared();

	@Test
	void healthyQueueIsDiagnosed(RedisConnectionFactory factory) throws Exception {
		String hanging = this.cluster.masterOf("asynq:servers");
		String queue = IntStream.range(0, 1000)
			.mapToObj((number) -> "queue" + number)
			.filter((name) -> !this.cluster.masterOf("{" + name + "}").equals(hanging))
			.findFirst()
			.orElseThrow();
		RedisBroker broker = new RedisBroker(factory, Clock.systemUTC(), RedisBroker.DEFAULT_LEASE_DURATION, (task) -> {
		});
		broker.enqueuer()
			.enqueue(new EnqueueRequest(
					TaskMessage.builder("nobody", "parked", queue).maxRetry(3).timeoutSeconds(60).build(),
					new Placement.Pending(), null));
		LeasedTask task = broker.dequeuer().dequeue(queue, 1).tasks().get(0);
		broker.completer()
			.report(List.of(new Outcome.Unhandled(task, "no handler", Duration.ofMinutes(1), Duration.ofDays(7))));
		QueueRepair repair = new QueueRepair(broker);
		try (AutoCloseable hung = this.cluster.pause(hanging)) {
			assertThat(CompletableFuture.supplyAsync(() -> repair.diagnose(queue), new SimpleAsyncTaskExecutor()))
				.succeedsWithin(Duration.ofSeconds(20))
				.satisfies((diagnosis) -> {
					assertThat(diagnosis.unhandled()).as("unknown").isEmpty();
					assertThat(diagnosis.held()).as("unknown").isZero();
					assertThat(diagnosis.counts()).isEmpty();
				});
		}
	}

}
