package io.asynq.operations;

import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.asynq.internal.broker.RedisBroker;
import io.asynq.internal.redis.HeardArrivals;
import io.asynq.internal.redis.RedisState;
import io.asynq.internal.redis.ServerConnections;
import io.asynq.internal.redis.Subscription;
import io.asynq.operations.preflight.Finding;
import io.asynq.operations.preflight.StoreCheck;
import io.asynq.operations.preflight.StoreSurvey;
import io.asynq.test.RedisExtension;
import io.asynq.test.TestRedis;
import io.lettuce.core.ReadFrom;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.core.task.SimpleAsyncTaskExecutor;
import org.springframework.data.redis.connection.RedisStandaloneConfiguration;
import org.springframework.data.redis.connection.RedisStaticMasterReplicaConfiguration;
import org.springframework.data.redis.connection.jedis.JedisConnectionFactory;
import org.springframework.data.redis.connection.lettuce.LettuceClientConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import redis.clients.jedis.Jedis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * An application whose connections read from replicas, or that lists a primary and its
 * replicas. Whatever is asked of a replica may be of yesterday, or wrong: its role, for
 * example.
 */
@Tag("slow")
@Timeout(300)
class ReadFromReplicasIT {

	/** What a driver asks each node to find out which is the primary. */
	private static final Set<String> OF_DRIVERS = Set.of("hello", "info", "role", "ping", "client|setinfo",
			"client|setname", "client", "select");

	/** Writes reach the replica as the primary has done them. */
	private static final Set<String> READS = Set.of("config|get", "config", "evalsha", "eval", "exists", "get", "hget",
			"hgetall", "hmget", "lindex", "llen", "lpos", "lrange", "memory|usage", "memory", "pttl", "scard",
			"sismember", "smembers", "sscan", "subscribe", "time", "ttl", "type", "zcard", "zcount", "zrange",
			"zrangebyscore", "zscan", "zscore");

	private static TestRedis primary;

	private static TestRedis replica;

	private static JedisConnectionFactory admin;

	@BeforeAll
	static void start() {
		primary = TestRedis.startOwn("repl-diskless-sync-delay 0");
		replica = TestRedis.startOwn("replicaof " + primary.host() + " " + primary.port());
		admin = RedisExtension.connectionFactory(primary);
		await().until(() -> "up".equals(replica.node().info("replication").get("master_link_status")));
	}

	@AfterAll
	static void stop() {
		admin.destroy();
		replica.stop();
		primary.stop();
	}

	@BeforeEach
	void empty() {
		primary.node().call(Jedis::flushAll);
		replica.node().call(Jedis::configResetStat);
	}

	@ParameterizedTest
	@MethodSource("connections")
	void cancellationIsHeard(Function<Void, LettuceConnectionFactory> connections) throws Exception {
		with(connections, (broker, factory) -> {
			CompletableFuture<Void> ready = new CompletableFuture<>();
			BlockingQueue<String> cancelled = new LinkedBlockingQueue<>();
			Subscription subscription = broker.cancellations().subscribe(() -> ready.complete(null), cancelled::add);
			CompletableFuture<Void> listening = listen(subscription);
			assertThat(CompletableFuture.anyOf(ready, listening)).succeedsWithin(Duration.ofSeconds(60));
			broker.cancellations().cancel("task-1");
			assertThat(poll(cancelled)).isEqualTo("task-1");
			assertThat(replica.node().info("commandstats")).doesNotContainKey("cmdstat_subscribe");
			subscription.close();
			assertThat(listening).succeedsWithin(Duration.ofSeconds(60));
			return null;
		});
	}

	@ParameterizedTest
	@MethodSource("connections")
	void newTaskIsReported(Function<Void, LettuceConnectionFactory> connections) throws Exception {
		with(connections, (broker, factory) -> {
			BlockingQueue<String> heard = new LinkedBlockingQueue<>();
			var subscription = broker.arrivals().subscribe(List.of("default"), new HeardArrivals(heard::add));
			CompletableFuture<Void> listening = listen(subscription);
			await().until(() -> listening.isDone() || "ready".equals(heard.poll()));
			assertThat(listening).isNotDone();
			subscription.watchPending(List.of("default"));
			new RedisState(admin).seedPending(RedisState.message("default", "t1").build());
			assertThat(poll(heard)).isEqualTo("pending default");
			subscription.close();
			return null;
		});
	}

	@ParameterizedTest
	@MethodSource("connections")
	void checkAtTheStartAsksThePrimary(Function<Void, LettuceConnectionFactory> connections) throws Exception {
		with(connections, (broker, factory) -> {
			assertThat(new StoreCheck(broker, Clock.systemUTC()).check().findings()).extracting(Finding::problem)
				.containsExactly("Redis stores nothing on disk: when it ends, all tasks are lost");
			assertThat(new StoreCheck(broker, Clock.systemUTC()).check().notChecked()).isEmpty();
			assertThat(new StoreSurvey(broker).nodes()).extracting((node) -> node.info().get("role"))
				.containsExactly("master");
			return null;
		});
	}

	@ParameterizedTest
	@MethodSource("connections")
	void everythingIsReadFromThePrimary(Function<Void, LettuceConnectionFactory> connections) throws Exception {
		with(connections, (broker, factory) -> {
			assertThat(new EveryCall(factory, admin).errors()).isEmpty();
			Set<String> asked = replica.node()
				.info("commandstats")
				.keySet()
				.stream()
				.map((name) -> name.substring("cmdstat_".length()))
				.collect(Collectors.toCollection(TreeSet::new));
			asked.removeAll(OF_DRIVERS);
			asked.retainAll(READS);
			assertThat(asked).as("asked of the replica").isEmpty();
			return null;
		});
	}

	static Stream<Named<Function<Void, LettuceConnectionFactory>>> connections() {
		return Stream.of(list("a list", null, true), list("a list, replicas first", ReadFrom.REPLICA, false),
				list("a list, read from any", ReadFrom.ANY, true),
				list("a list, read from replicas if there are some", ReadFrom.REPLICA_PREFERRED, true),
				Named.of("replicas that are found",
						(nothing) -> new LettuceConnectionFactory(
								new RedisStandaloneConfiguration(primary.host(), primary.port()),
								client(ReadFrom.REPLICA))));
	}

	private static Named<Function<Void, LettuceConnectionFactory>> list(String name, @Nullable ReadFrom readFrom,
			boolean primaryFirst) {
		return Named.of(name, (nothing) -> {
			TestRedis first = primaryFirst ? primary : replica;
			TestRedis second = primaryFirst ? replica : primary;
			RedisStaticMasterReplicaConfiguration nodes = new RedisStaticMasterReplicaConfiguration(first.host(),
					first.port());
			nodes.addNode(second.host(), second.port());
			return new LettuceConnectionFactory(nodes, client(readFrom));
		});
	}

	private static LettuceClientConfiguration client(@Nullable ReadFrom readFrom) {
		LettuceClientConfiguration.LettuceClientConfigurationBuilder client = LettuceClientConfiguration.builder();
		return ((readFrom != null) ? client.readFrom(readFrom) : client).build();
	}

	/** As an application without a server, and as one with a server. */
	private static void with(Function<Void, LettuceConnectionFactory> connections,
			BiFunction<RedisBroker, LettuceConnectionFactory, Void> test) throws Exception {
		for (ServerConnections.Source source : List.of(ServerConnections.Source.SHARED,
				ServerConnections.Source.COPY)) {
			LettuceConnectionFactory factory = connections.apply(null);
			factory.afterPropertiesSet();
			factory.start();
			ServerConnections server = new ServerConnections(factory, source);
			server.afterPropertiesSet();
			server.start();
			RedisBroker broker = new RedisBroker(factory, server, Clock.systemUTC(), RedisBroker.DEFAULT_LEASE_DURATION,
					(task) -> {
					});
			try {
				test.apply(broker, factory);
			}
			finally {
				broker.close();
				server.destroy();
				factory.destroy();
			}
		}
	}

	private static CompletableFuture<Void> listen(Subscription subscription) {
		return CompletableFuture.runAsync(subscription::listen, new SimpleAsyncTaskExecutor("listening-"));
	}

	private static @Nullable String poll(BlockingQueue<String> queue) {
		try {
			return queue.poll(60, TimeUnit.SECONDS);
		}
		catch (InterruptedException ex) {
			throw new IllegalStateException(ex);
		}
	}

}
