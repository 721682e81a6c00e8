package io.asynq.internal.redis;

import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CyclicBarrier;
import java.util.function.Function;
import java.util.stream.IntStream;

import io.asynq.AsynqClient;
import io.asynq.AsynqException;
import io.asynq.BrokerUnavailableException;
import io.asynq.ClientOptions;
import io.asynq.EnqueueAttempt;
import io.asynq.Task;
import io.asynq.inspect.AsynqInspector;
import io.asynq.internal.broker.RedisBroker;
import io.asynq.test.TestRedis;
import io.asynq.test.redis.ClusterRedis;
import org.apache.commons.pool2.impl.GenericObjectPoolConfig;
import org.h2.jdbcx.JdbcDataSource;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.beans.factory.InitializingBean;
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
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;
import redis.clients.jedis.args.ClientPauseMode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

/**
 * Many callers whose Redis hangs: each call has one time in all, whatever it waits for.
 */
@Timeout(300)
class HangingCallsIT {

	private static final Duration COMMAND = Duration.ofMillis(500);

	private static final Duration CALL = Duration.ofMillis(800);

	/** One caller after the other would wait for several seconds. */
	private static final Duration LATE = Duration.ofMillis(1500);

	private final TestRedis redis = TestRedis.startOwn();

	private final List<AutoCloseable> open = new ArrayList<>();

	@AfterEach
	void close() throws Exception {
		this.redis.node().resume();
		for (AutoCloseable each : this.open) {
			each.close();
		}
		this.redis.stop();
	}

	@Test
	void callersOfEnqueueAreToldInTime() {
		callersAreToldInTime(60, Way.ENQUEUE, true);
	}

	@ParameterizedTest
	@EnumSource(Way.class)
	@Tag("full")
	void everyCallerIsToldInTime(Way way) {
		callersAreToldInTime(60, way, true);
		callersAreToldInTime(100, way, true);
	}

	@ParameterizedTest
	@EnumSource(Way.class)
	@Tag("full")
	void everyCallerIsToldInTimeThoughNobodyHasConnectedBefore(Way way) {
		callersAreToldInTime(60, way, false);
	}

	@Test
	@Tag("full")
	void callersOfAHungMasterAreToldInTimeAndOthersAreServed() {
		try (ClusterRedis cluster = ClusterRedis.startWithoutReplicas()) {
			RedisClusterConfiguration nodes = new RedisClusterConfiguration();
			cluster.nodes().forEach((node) -> nodes.clusterNode(this.redis.host(), node.port()));
			JedisConnectionFactory factory = opened(new JedisConnectionFactory(nodes,
					JedisClientConfiguration.builder().readTimeout(COMMAND).usePooling().build()));
			AsynqClient client = client(broker(factory, CALL), true);
			String hung = queueOn(0);
			String well = queueOn(1);
			await().atMost(Duration.ofMinutes(3)).untilAsserted(() -> {
				untilItWorks(() -> client.enqueue("mail", (options) -> options.queue(hung)));
				untilItWorks(() -> client.enqueue("mail", (options) -> options.queue(well)));
				cluster.nodes().get(0).pause();
				try {
					assertThat(callers(60, () -> client.enqueue("mail", (options) -> options.queue(hung))))
						.allSatisfy((each) -> assertThat(each.after()).isLessThan(LATE));
					assertThat(callers(20, () -> client.enqueue("mail", (options) -> options.queue(well))))
						.extracting(Told::error)
						.containsOnlyNulls();
				}
				finally {
					cluster.nodes().get(0).resume();
				}
			});
			untilItWorks(() -> client.enqueue("mail", (options) -> options.queue(hung)));
		}
	}

	private static String queueOn(int master) {
		return IntStream.range(0, 1000)
			.mapToObj((i) -> "q" + i)
			.filter((queue) -> ClusterRedis.indexOf(ClusterRedis.slotOfQueue(queue)) == master)
			.findFirst()
			.orElseThrow();
	}

	@Test
	void callThatWasGivenUpUnsentIsNeverSent() {
		AsynqClient client = client(broker(Way.ENQUEUE), true);
		untilItWorks(() -> client.enqueue("mail"));
		long before = pending();
		this.redis.node().pause();
		List<Throwable> errors = callers(60, () -> client.enqueue("mail")).stream().map(Told::error).toList();
		this.redis.node().resume();
		assertThat(errors).hasOnlyElementsOfType(BrokerUnavailableException.class);
		assertThat(errors).anySatisfy((error) -> assertThat(error).hasMessageContaining("nothing was sent"));
		long inDoubt = errors.stream().filter((error) -> error.getMessage().contains("look for its id")).count();
		untilItWorks(() -> client.enqueue("last"));
		assertThat(pending()).isBetween(before + 1, before + 1 + inDoubt);
	}

	@Test
	void aCallHasTheTimeOfACommandAtLeast() {
		AsynqClient client = client(
				broker(opened(jedis(configuration(), 8, Duration.ofSeconds(30))), Duration.ofMillis(1)), true);
		client.enqueue("mail");
		this.redis.node().call((jedis) -> jedis.clientPause(50, ClientPauseMode.ALL));
		client.enqueue("mail");
		assertThat(pending()).isEqualTo(2);
	}

	@Test
	void callersAreToldInTimeThoughAllConnectionsOfThePoolAreInUse() {
		JedisConnectionFactory factory = opened(jedis(configuration(), 2, COMMAND));
		AsynqClient client = client(broker(factory, CALL), true);
		untilItWorks(() -> client.enqueue("mail"));
		long before = pending();
		List<CompletableFuture<?>> blocked = IntStream.range(0, 2).<CompletableFuture<?>>mapToObj((i) -> run(() -> {
			try (RedisConnection connection = factory.getConnection()) {
				return connection.listCommands().bLPop(0, Text.utf8("never"));
			}
		})).toList();
		await().until(() -> this.redis.node().info("clients").get("blocked_clients").equals("2"));
		assertThatExceptionOfType(BrokerUnavailableException.class).isThrownBy(() -> client.enqueue("mail"))
			.withMessageContaining("asynq.client.call-timeout");
		this.redis.node().call((jedis) -> jedis.rpush("never", "1", "2"));
		blocked.forEach(CompletableFuture::join);
		untilItWorks(() -> client.enqueue("mail"));
		assertThat(pending()).isEqualTo(before + 1);
	}

	private void callersAreToldInTime(int callers, Way way, boolean connected) {
		// Any of them: on a busy machine threads may get no processor for a second
		await().atMost(Duration.ofMinutes(3)).untilAsserted(() -> {
			this.redis.node().resume();
			RedisBroker broker = broker(way);
			Runnable call = way.call.apply(broker);
			if (connected) {
				untilItWorks(call);
			}
			this.redis.node().pause();
			List<Told> told = callers(callers, call);
			assertThat(told).as("%d callers, %s", callers, way)
				.allSatisfy((each) -> assertThat(each.after()).isLessThan(LATE));
			this.redis.node().resume();
			untilItWorks(call);
		});
	}

	/** The first call of a JVM may take long. */
	private static void untilItWorks(Runnable call) {
		await().ignoreExceptionsInstanceOf(AsynqException.class).untilAsserted(call::run);
	}

	private static List<Told> callers(int callers, Runnable call) {
		CyclicBarrier start = new CyclicBarrier(callers);
		return IntStream.range(0, callers).mapToObj((i) -> run(() -> {
			start.await();
			long begin = System.nanoTime();
			Throwable error = null;
			try {
				call.run();
			}
			catch (AsynqException ex) {
				error = ex;
			}
			return new Told(Duration.ofNanos(System.nanoTime() - begin), error);
		})).toList().stream().map(CompletableFuture::join).toList();
	}

	private static <T> CompletableFuture<T> run(Callable<T> work) {
		return new SimpleAsyncTaskExecutor("caller-").submitCompletable(work);
	}

	private long pending() {
		return this.redis.node().call((jedis) -> jedis.llen("asynq:{default}:pending"));
	}

	private RedisStandaloneConfiguration configuration() {
		return new RedisStandaloneConfiguration(this.redis.host(), this.redis.port());
	}

	private RedisBroker broker(Way way) {
		return broker(way.connections.to(this), CALL);
	}

	private RedisBroker broker(RedisConnectionFactory factory, Duration callTimeout) {
		RedisBroker broker = new RedisBroker(factory, callTimeout,
				new ServerConnections(factory, ServerConnections.Source.SHARED), Clock.systemUTC(),
				RedisBroker.DEFAULT_LEASE_DURATION, (task) -> {
				});
		this.open.add(0, broker::close);
		return broker;
	}

	private <T extends SmartLifecycle & InitializingBean & DisposableBean> T opened(T factory) {
		try {
			factory.afterPropertiesSet();
		}
		catch (Exception ex) {
			throw new IllegalStateException(ex);
		}
		factory.start();
		this.open.add(factory::destroy);
		return factory;
	}

	private static AsynqClient client(RedisBroker broker, boolean shared) {
		return AsynqClient.create(broker, ClientOptions.builder().clock(Clock.systemUTC()).shareCalls(shared).build());
	}

	private static JedisConnectionFactory jedis(RedisStandaloneConfiguration address, int connections,
			Duration command) {
		GenericObjectPoolConfig<Object> pool = new GenericObjectPoolConfig<>();
		pool.setMaxTotal(connections);
		JedisClientConfiguration.JedisClientConfigurationBuilder client = JedisClientConfiguration.builder()
			.readTimeout(command);
		client.usePooling().poolConfig(pool);
		return new JedisConnectionFactory(address, client.build());
	}

	private static LettuceConnectionFactory lettuce(RedisStandaloneConfiguration address) {
		return new LettuceConnectionFactory(address,
				LettucePoolingClientConfiguration.builder()
					.poolConfig(new GenericObjectPoolConfig<>())
					.commandTimeout(COMMAND)
					.build());
	}

	private record Told(Duration after, @Nullable Throwable error) {
	}

	/** How an application is connected, and what its threads call. */
	private enum Way {

		ENQUEUE(Connections.JEDIS, (broker) -> enqueue(broker, true)),
		ENQUEUE_WITHOUT_SHARED_CALLS(Connections.JEDIS, (broker) -> enqueue(broker, false)),
		ENQUEUE_ALL(Connections.JEDIS, Way::enqueueAll), AFTER_COMMIT(Connections.JEDIS, Way::afterCommit),
		INSPECT(Connections.JEDIS, (broker) -> AsynqInspector.create(broker, Clock.systemUTC())::queues),
		ENQUEUE_WITH_OLD_CLIENTS(Connections.OLD_JEDIS, (broker) -> enqueue(broker, true)),
		ENQUEUE_ALL_WITH_OLD_CLIENTS(Connections.OLD_JEDIS, Way::enqueueAll),
		ENQUEUE_OVER_LETTUCE(Connections.LETTUCE, (broker) -> enqueue(broker, true)),
		ENQUEUE_ALL_OVER_LETTUCE(Connections.LETTUCE, Way::enqueueAll),
		AFTER_COMMIT_OVER_LETTUCE(Connections.LETTUCE, Way::afterCommit),
		ENQUEUE_OVER_LETTUCE_POOL(Connections.LETTUCE_POOL, (broker) -> enqueue(broker, true)),
		ENQUEUE_ALL_OVER_LETTUCE_POOL(Connections.LETTUCE_POOL, Way::enqueueAll);

		private final Connections connections;

		private final Function<RedisBroker, Runnable> call;

		Way(Connections connections, Function<RedisBroker, Runnable> call) {
			this.connections = connections;
			this.call = call;
		}

		private static Runnable enqueue(RedisBroker broker, boolean shared) {
			AsynqClient client = client(broker, shared);
			return () -> client.enqueue("mail");
		}

		private static Runnable enqueueAll(RedisBroker broker) {
			AsynqClient client = client(broker, true);
			List<Task> tasks = List.of(Task.of("mail", "a"), Task.of("mail", "b"));
			return () -> client.enqueueAll(tasks).forEach(EnqueueAttempt::orThrow);
		}

		private static Runnable afterCommit(RedisBroker broker) {
			AsynqClient client = client(broker, true).afterCommit();
			JdbcDataSource database = new JdbcDataSource();
			database.setURL("jdbc:h2:mem:" + UUID.randomUUID());
			TransactionTemplate transaction = new TransactionTemplate(new DataSourceTransactionManager(database));
			return () -> transaction.executeWithoutResult((status) -> {
				client.enqueue("mail");
				client.enqueue("mail", (options) -> options.queue("other"));
			});
		}

	}

	private enum Connections {

		JEDIS {

			@Override
			RedisConnectionFactory to(HangingCallsIT test) {
				return test.opened(jedis(test.configuration(), 8, COMMAND));
			}

		},

		OLD_JEDIS {

			@Override
			RedisConnectionFactory to(HangingCallsIT test) {
				JedisConnectionFactory factory = jedis(test.configuration(), 8, COMMAND);
				factory.setUseUnifiedJedis(false);
				return test.opened(factory);
			}

		},

		LETTUCE {

			@Override
			RedisConnectionFactory to(HangingCallsIT test) {
				return test.opened(lettuce(test.configuration()));
			}

		},

		LETTUCE_POOL {

			@Override
			RedisConnectionFactory to(HangingCallsIT test) {
				LettuceConnectionFactory factory = lettuce(test.configuration());
				factory.setShareNativeConnection(false);
				return test.opened(factory);
			}

		};

		abstract RedisConnectionFactory to(HangingCallsIT test);

	}

}
