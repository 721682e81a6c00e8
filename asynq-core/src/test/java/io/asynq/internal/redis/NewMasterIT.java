package io.asynq.internal.redis;

import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Stream;

import io.asynq.internal.broker.RedisBroker;
import io.asynq.internal.enqueue.EnqueueRequest;
import io.asynq.internal.enqueue.Placement;
import io.asynq.internal.worker.Dequeued;
import io.asynq.internal.worker.LeasedTask;
import io.asynq.internal.worker.Outcome;
import io.asynq.internal.worker.OutcomeResult;
import io.asynq.internal.worker.QueueShare;
import io.asynq.test.LettuceRedisExtension;
import io.asynq.test.RedisExtension;
import io.asynq.test.TestRedis;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.core.task.SimpleAsyncTaskExecutor;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.jedis.JedisConnectionFactory;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import redis.clients.jedis.Jedis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * A failover: a replica refuses a call, and becomes the master a moment later.
 */
@Timeout(300)
class NewMasterIT {

	private static final List<String> QUEUES = List.of("a", "b");

	private static TestRedis redis;

	private static JedisConnectionFactory jedis;

	private static LettuceConnectionFactory lettuce;

	@BeforeAll
	static void start() {
		redis = TestRedis.startOwn();
		jedis = RedisExtension.connectionFactory(redis);
		lettuce = LettuceRedisExtension.connectionFactory(redis);
	}

	@AfterAll
	static void stop() {
		lettuce.destroy();
		jedis.destroy();
		redis.stop();
	}

	@ParameterizedTest(name = "{0}")
	@MethodSource("calls")
	void callThatAReplicaRefusesIsDoneOnceItIsTheMaster(String name, RedisConnectionFactory factory, Call call) {
		// Any of them: a machine under load may stand still for longer than a call waits
		await().atMost(Duration.ofMinutes(3)).untilAsserted(() -> {
			RedisBroker broker = new RedisBroker(factory, Clock.systemUTC(), RedisBroker.DEFAULT_LEASE_DURATION,
					(task) -> {
					});
			try (Jedis admin = redis.node().connect()) {
				admin.flushAll();
				Function<RedisBroker, List<?>> prepared = call.prepare(broker);
				assertThat(whileReplica(admin, () -> prepared.apply(broker))).as(name).isEmpty();
				assertThat(broker.dequeuer().takesSeveralInOneCall()).isTrue();
			}
			finally {
				broker.close();
			}
		});
	}

	static Stream<Arguments> calls() {
		return Stream.of(false, true)
			.flatMap((overLettuce) -> Stream.of(//
					named(overLettuce, "one task", (broker) -> {
						list(broker);
						return (same) -> errors(same, pending("a", "new"));
					}),
					named(overLettuce, "first task of a queue",
							(broker) -> (same) -> errors(same, pending("a", "new"))),
					named(overLettuce, "tasks of two queues", (broker) -> {
						list(broker);
						return (same) -> errors(same, pending("a", "new"), pending("b", "new"));
					}), named(overLettuce, "tasks of two queues, for later", (broker) -> {
						list(broker);
						Placement later = new Placement.Scheduled(Clock.systemUTC().instant().plusSeconds(60));
						return (same) -> errors(same, new EnqueueRequest(message("a", "new"), later, null),
								new EnqueueRequest(message("b", "new"), later, Duration.ofMinutes(1)));
					}), named(overLettuce, "fetch from two queues", (broker) -> {
						list(broker);
						return (same) -> same.dequeuer()
							.dequeue(List.of(new QueueShare("a", 1), new QueueShare("b", 1)), 2, 0)
							.stream()
							.filter((answer) -> answer.error() != null || answer.dequeued().tasks().isEmpty())
							.toList();
					}), named(overLettuce, "outcomes of two queues", (broker) -> {
						List<LeasedTask> taken = taken(broker);
						return (same) -> unwritten(same, taken.stream().<Outcome>map(Outcome.Done::new).toList());
					}), named(overLettuce, "failures of two queues", (broker) -> {
						List<LeasedTask> taken = taken(broker);
						return (same) -> unwritten(same,
								taken.stream().<Outcome>map((task) -> new Outcome.Archive(task, "x")).toList());
					})));
	}

	private static Arguments named(boolean overLettuce, String name, Call call) {
		return Arguments.of(name + (overLettuce ? " over Lettuce" : " over Jedis"), overLettuce ? lettuce : jedis,
				call);
	}

	/** Has Redis be a replica until it has been called. */
	private static List<?> whileReplica(Jedis admin, Supplier<List<?>> call) {
		admin.replicaof("127.0.0.1", TestRedis.freePort());
		admin.configResetStat();
		CompletableFuture<List<?>> result = CompletableFuture.supplyAsync(call, new SimpleAsyncTaskExecutor("caller-"));
		try {
			await().pollDelay(Duration.ZERO)
				.pollInterval(Duration.ofMillis(1))
				.until(() -> result.isDone() || wasCalled(admin.info("commandstats")));
		}
		finally {
			admin.replicaofNoOne();
		}
		return result.join();
	}

	private static boolean wasCalled(String commands) {
		return commands.contains("cmdstat_evalsha:") || commands.contains("cmdstat_sadd:calls=0,");
	}

	private static void list(RedisBroker broker) {
		assertThat(errors(broker, pending("a", "old"), pending("b", "old"))).isEmpty();
	}

	private static List<LeasedTask> taken(RedisBroker broker) {
		list(broker);
		return QUEUES.stream()
			.map((queue) -> broker.dequeuer().dequeue(queue, 1))
			.map(Dequeued::tasks)
			.flatMap(List::stream)
			.toList();
	}

	private static List<?> errors(RedisBroker broker, EnqueueRequest... requests) {
		return broker.enqueuer().enqueueAll(List.of(requests)).stream().flatMap(Optional::stream).toList();
	}

	private static List<?> unwritten(RedisBroker broker, List<Outcome> outcomes) {
		return broker.completer()
			.report(outcomes)
			.stream()
			.filter((result) -> !result.equals(OutcomeResult.APPLIED))
			.toList();
	}

	private static EnqueueRequest pending(String queue, String id) {
		return new EnqueueRequest(message(queue, id), new Placement.Pending(), null);
	}

	private static TaskMessage message(String queue, String id) {
		return RedisState.message(queue, id).build();
	}

	/** Returns a call that answers what it could not do. */
	private interface Call {

		Function<RedisBroker, List<?>> prepare(RedisBroker broker);

	}

}
