package io.asynq.internal.redis;

import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;

import io.asynq.internal.broker.RedisBroker;
import io.asynq.internal.enqueue.EnqueueRequest;
import io.asynq.internal.enqueue.Placement;
import io.asynq.internal.fleet.ServerSnapshot;
import io.asynq.internal.worker.Dequeued;
import io.asynq.internal.worker.Outcome;
import io.asynq.internal.worker.OutcomeResult;
import io.asynq.server.QueueWeights;
import io.asynq.test.TestRedis;
import io.asynq.test.TestRedisCluster;
import org.apache.commons.pool2.impl.GenericObjectPoolConfig;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.context.SmartLifecycle;
import org.springframework.core.task.SimpleAsyncTaskExecutor;
import org.springframework.data.redis.connection.RedisClusterConfiguration;
import org.springframework.data.redis.connection.RedisConnection;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.RedisStandaloneConfiguration;
import org.springframework.data.redis.connection.jedis.JedisClientConfiguration;
import org.springframework.data.redis.connection.jedis.JedisConnectionFactory;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import org.springframework.data.redis.connection.lettuce.LettucePoolingClientConfiguration;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The application uses its only connection for a blocking call, as in a handler. The
 * server still sends heartbeats, renews leases, takes tasks and completes them.
 */
class BusyPoolIT {

	/** The slot of this queue is also the one that the application blocks. */
	private static final String QUEUE = "busy-pool";

	private static final byte[] NEVER = Text.utf8("{" + QUEUE + "}:never");

	private RedisConnectionFactory application;

	private ServerConnections own;

	private CompletableFuture<?> waiting;

	@AfterEach
	void close() throws Exception {
		try (RedisConnection connection = this.own.factory().getConnection()) {
			connection.listCommands().rPush(NEVER, new byte[1]);
		}
		this.waiting.join();
		this.own.destroy();
		((DisposableBean) this.application).destroy();
	}

	@ParameterizedTest
	@MethodSource("applications")
	void serverWorksWhileApplicationPoolIsExhausted(RedisConnectionFactory application) throws Exception {
		this.application = application;
		((SmartLifecycle) application).start();
		this.own = new ServerConnections(application, ServerConnections.Source.COPY);
		this.own.afterPropertiesSet();
		this.own.start();
		RedisBroker broker = new RedisBroker(application, this.own, Clock.systemUTC(),
				RedisBroker.DEFAULT_LEASE_DURATION, (task) -> {
				});
		broker.enqueuer()
			.enqueue(new EnqueueRequest(TaskMessage.builder("t", "1", QUEUE).build(), new Placement.Pending(), null));
		occupy();
		CompletableFuture<OutcomeResult> served = CompletableFuture.supplyAsync(() -> serve(broker),
				new SimpleAsyncTaskExecutor("server-"));
		assertThat(served).succeedsWithin(Duration.ofMinutes(1))
			.extracting(OutcomeResult::status)
			.isEqualTo(OutcomeResult.Status.APPLIED);
		assertThat(this.waiting).isNotDone();
	}

	private static OutcomeResult serve(RedisBroker broker) {
		broker.queues().ping();
		broker.servers().enlist(ServerIdentity.ofThisProcess(), Duration.ofSeconds(10));
		broker.servers()
			.write(new ServerSnapshot(ServerIdentity.ofThisProcess(), 1, new QueueWeights(Map.of(QUEUE, 1), false),
					"active", Clock.systemUTC().instant(), List.of(), Map.of()), Duration.ofSeconds(10));
		Dequeued dequeued = broker.dequeuer().dequeue(QUEUE, 1);
		broker.upkeep().extend(QUEUE, List.of(dequeued.tasks().get(0).lease()));
		broker.upkeep().forward(QUEUE);
		return broker.completer().report(List.of(new Outcome.Done(dequeued.tasks().get(0)))).get(0);
	}

	private void occupy() {
		this.waiting = CompletableFuture.runAsync(() -> {
			try (RedisConnection connection = this.application.getConnection()) {
				connection.listCommands().bLPop(0, NEVER);
			}
		}, new SimpleAsyncTaskExecutor("handler-"));
		Awaitility.await().atMost(Duration.ofMinutes(1)).until(this::isSomebodyBlocked);
	}

	private boolean isSomebodyBlocked() {
		try (RedisConnection connection = this.own.factory().getConnection()) {
			return connection.serverCommands()
				.info("clients")
				.entrySet()
				.stream()
				.anyMatch((entry) -> entry.getKey().toString().endsWith("blocked_clients")
						&& !"0".equals(entry.getValue()));
		}
	}

	static Stream<RedisConnectionFactory> applications() {
		TestRedis redis = TestRedis.shared();
		RedisStandaloneConfiguration standalone = new RedisStandaloneConfiguration(redis.host(), redis.port());
		RedisClusterConfiguration cluster = new RedisClusterConfiguration(TestRedisCluster.shared().nodes());
		return Stream.of(new JedisConnectionFactory(standalone, jedis()), new JedisConnectionFactory(cluster, jedis()),
				lettuce(new LettuceConnectionFactory(standalone, lettuce())),
				lettuce(new LettuceConnectionFactory(cluster, lettuce())));
	}

	private static JedisClientConfiguration jedis() {
		var settings = JedisClientConfiguration.builder().readTimeout(Duration.ofMinutes(5));
		settings.usePooling().poolConfig(single());
		return settings.build();
	}

	private static LettucePoolingClientConfiguration lettuce() {
		return LettucePoolingClientConfiguration.builder()
			.commandTimeout(Duration.ofMinutes(5))
			.poolConfig(single())
			.build();
	}

	private static LettuceConnectionFactory lettuce(LettuceConnectionFactory factory) {
		factory.setShareNativeConnection(false);
		factory.afterPropertiesSet();
		return factory;
	}

	private static <T> GenericObjectPoolConfig<T> single() {
		GenericObjectPoolConfig<T> pool = new GenericObjectPoolConfig<>();
		pool.setMaxTotal(1);
		return pool;
	}

}
