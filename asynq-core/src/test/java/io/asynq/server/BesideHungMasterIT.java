package io.asynq.server;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

import io.asynq.CancelMode;
import io.asynq.Task;
import io.asynq.TaskState;
import io.asynq.group.GroupLimits;
import io.asynq.handler.TaskHandlerFunction;
import io.asynq.inspect.AsynqInspector;
import io.asynq.inspect.CancelResult;
import io.asynq.inspect.Page;
import io.asynq.inspect.ServerInfo;
import io.asynq.internal.broker.RedisBroker;
import io.asynq.internal.enqueue.EnqueueRequest;
import io.asynq.internal.enqueue.Placement;
import io.asynq.internal.fleet.ServerWish;
import io.asynq.internal.redis.RedisState;
import io.asynq.internal.redis.ServerIdentity;
import io.asynq.internal.redis.Subscription;
import io.asynq.test.RedisClusterExtension;
import io.asynq.test.TestRedisCluster;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.core.task.SimpleAsyncTaskExecutor;
import org.springframework.data.redis.connection.RedisClusterConfiguration;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.lettuce.LettuceClientConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What a healthy queue needs, while another master of the cluster hangs for good: the
 * driver waits for its answers longer than any test does.
 */
@Tag("slow")
@Timeout(300)
class BesideHungMasterIT {

	@RegisterExtension
	static final RedisClusterExtension redis = new RedisClusterExtension(Duration.ofMinutes(10));

	private static final Executor THREADS = new SimpleAsyncTaskExecutor("caller-");

	/** Only a call that waits for the hung master takes longer. */
	private static final Duration SOON = Duration.ofSeconds(20);

	private final TestRedisCluster cluster = TestRedisCluster.shared();

	private final RedisConnectionFactory factory;

	private final RedisState state;

	private final Set<String> begun = ConcurrentHashMap.newKeySet();

	private final Set<String> interrupted = ConcurrentHashMap.newKeySet();

	BesideHungMasterIT(RedisConnectionFactory factory) {
		this.factory = factory;
		this.state = new RedisState(factory);
	}

	@ParameterizedTest
	@ValueSource(ints = { 1, 2 })
	void runningTaskIsCancelledWhicheverOtherMasterHangs(int other) throws Exception {
		cancelBesideHungMaster(this.factory, other);
	}

	private void cancelBesideHungMaster(RedisConnectionFactory factory, int other) throws Exception {
		String queue = queues(0, 2).get(other - 1);
		this.begun.clear();
		this.interrupted.clear();
		try (TestServer server = server(factory, queue).handling(untilInterrupted()).start()) {
			AsynqInspector inspector = AsynqInspector.create(server.broker, Clock.systemUTC());
			List<CancelMode> modes = List.of(CancelMode.values());
			modes.forEach((mode) -> server.enqueue(RedisState.message(queue, mode.name()).build()));
			List.of("id", "first").forEach((id) -> server.enqueue(RedisState.message(queue, id).build()));
			soon().until(() -> this.begun.size() == modes.size() + 2);
			// A server listens and is listed some time after its start
			soon().until(() -> {
				inspector.cancelTask("first");
				return this.interrupted.contains("first") && server.broker.fleet().hasJavaServer(queue);
			});
			try (AutoCloseable hung = hang(other)) {
				for (CancelMode mode : modes) {
					assertThat(calling(() -> inspector.cancelTask(queue, mode.name(), mode))).succeedsWithin(SOON)
						.isEqualTo((mode != CancelMode.RETRY) ? CancelResult.RECORDED : CancelResult.SIGNAL_SENT);
				}
				assertThat(calling(() -> {
					inspector.cancelTask("id");
					return true;
				})).succeedsWithin(SOON);
				soon().until(() -> this.interrupted.size() == modes.size() + 2);
				soon().untilAsserted(() -> {
					this.state.assertRetry(queue, "id", "RETRY", "first");
					this.state.assertArchived(queue, "ARCHIVE");
					assertThat(this.state.fields(queue, "DELETE")).isEmpty();
				});
			}
		}
	}

	@Test
	@Tag("full")
	void runningTaskIsCancelledOverLettuceWhicheverOtherMasterHangs() throws Exception {
		LettuceConnectionFactory lettuce = new LettuceConnectionFactory(
				new RedisClusterConfiguration(this.cluster.nodes()),
				LettuceClientConfiguration.builder().commandTimeout(Duration.ofMinutes(10)).build());
		lettuce.afterPropertiesSet();
		lettuce.start();
		try {
			for (int other = 1; other <= 2; other++) {
				cancelBesideHungMaster(lettuce, other);
			}
		}
		finally {
			lettuce.destroy();
		}
	}

	@ParameterizedTest
	@EnumSource
	void taskOfGoIsSignalledWhileTheListOfServersCannotBeRead(CancelMode mode) throws Exception {
		String queue = queueBesideMasterOf("asynq:servers");
		RedisBroker broker = broker();
		AsynqInspector inspector = AsynqInspector.create(broker, Clock.systemUTC());
		this.state.seedActive(Clock.systemUTC().instant().plusSeconds(60), RedisState.message(queue, "t1").build());
		CountDownLatch ready = new CountDownLatch(1);
		Set<String> heard = ConcurrentHashMap.newKeySet();
		Subscription listener = broker.cancellations()
			.at(this.cluster.masterOf(RedisState.key(queue, "pending")))
			.subscribe(ready::countDown, heard::add);
		THREADS.execute(listener::listen);
		assertThat(ready.await(60, TimeUnit.SECONDS)).isTrue();
		try (AutoCloseable hung = this.cluster.pause(this.cluster.masterOf("asynq:servers"))) {
			assertThat(calling(() -> inspector.cancelTask(queue, "t1", mode))).succeedsWithin(SOON)
				.isEqualTo(CancelResult.SIGNAL_SENT);
			soon().until(() -> heard.contains("t1"));
			assertThat(this.state.fields(queue, "t1")).doesNotContainKey("x-cancel");
		}
		finally {
			listener.close();
		}
	}

	@Test
	void groupsOfHealthyQueuesAreAggregated() throws Exception {
		String sick = queues(1, 1).get(0);
		String healthy = queues(0, 1).get(0);
		CountDownLatch inHand = new CountDownLatch(3);
		CountDownLatch hangs = new CountDownLatch(1);
		for (int i = 0; i < 12; i++) {
			group(sick, "g" + i);
		}
		try (TestServer server = server(sick, healthy).aggregator((queue, group, tasks) -> {
			if (queue.equals(sick)) {
				inHand.countDown();
				hangs.await();
			}
			return Task.of("joined", group);
		}).handling((task, context) -> {
			this.begun.add(new String(task.payload()));
			return null;
		}).start()) {
			assertThat(inHand.await(60, TimeUnit.SECONDS)).isTrue();
			try (AutoCloseable hung = hang(1)) {
				hangs.countDown();
				for (int i = 0; i < 10; i++) {
					group(healthy, "h" + i);
				}
				soon().until(() -> this.begun.size() == 10);
				assertThat(this.begun).allMatch((group) -> group.startsWith("h"));
			}
			soon().until(() -> this.begun.size() == 22);
		}
	}

	@Test
	void groupsThatAStopGivesUpGoBackBesideThoseOfAHungMaster() throws Exception {
		String sick = queues(1, 1).get(0);
		String healthy = queues(0, 1).get(0);
		CountDownLatch inHand = new CountDownLatch(3);
		CountDownLatch never = new CountDownLatch(1);
		group(sick, "g1");
		group(sick, "g2");
		group(healthy, "h1");
		TestServer server = server(sick, healthy).aggregator((queue, group, tasks) -> {
			inHand.countDown();
			never.await();
			return Task.of("joined", group);
		}).handling((task, context) -> null).start();
		assertThat(inHand.await(60, TimeUnit.SECONDS)).isTrue();
		try (AutoCloseable hung = hang(1)) {
			assertThat(calling(() -> {
				server.stop();
				return true;
			})).succeedsWithin(SOON);
			soon().untilAsserted(() -> this.state.assertGrouped(healthy, "h1", "h1-1", "h1-2"));
		}
	}

	@Test
	void healthyQueueIsInspectedAndChangedByHand() throws Exception {
		String queue = queueBesideMasterOf("asynq:queues");
		RedisBroker broker = broker();
		AsynqInspector inspector = AsynqInspector.create(broker, Clock.systemUTC());
		List.of("t1", "t2", "t3")
			.forEach((id) -> broker.enqueuer()
				.enqueue(new EnqueueRequest(RedisState.message(queue, id).build(), new Placement.Pending(), null)));
		try (AutoCloseable hung = this.cluster.pause(this.cluster.masterOf("asynq:queues"))) {
			assertThat(calling(() -> inspector.queueInfo(queue).stats().sizes())).succeedsWithin(SOON)
				.satisfies((sizes) -> assertThat(sizes).containsEntry(TaskState.PENDING, 3L));
			assertThat(calling(() -> inspector.listTasks(queue, TaskState.PENDING, Page.first()))).succeedsWithin(SOON)
				.satisfies((tasks) -> assertThat(tasks).hasSize(3));
			assertThat(calling(() -> inspector.deleteTasks(queue, List.of("t1", "no")))).succeedsWithin(SOON)
				.satisfies((results) -> assertThat(results).extracting((result) -> result.error() == null)
					.containsExactly(true, false));
			assertThat(calling(() -> inspector.archiveAllTasks(queue, TaskState.PENDING))).succeedsWithin(SOON)
				.isEqualTo(2L);
			assertThat(calling(() -> {
				inspector.pauseQueue(queue);
				return inspector.queueInfo(queue).stats().paused();
			})).succeedsWithin(SOON).isEqualTo(true);
		}
	}

	@Test
	void serverIsAskedWhileItCannotBeListed() throws Exception {
		String queue = queueBesideMasterOf("asynq:servers");
		try (TestServer server = TestServer.builder(this.factory)
			.options((options) -> options.queue(queue, 1).heartbeatInterval(Duration.ofMillis(200)))
			.handling((task, context) -> null)) {
			ServerIdentity identity = startBesideMasterOf(server, "asynq:servers");
			try (AutoCloseable hung = this.cluster.pause(this.cluster.masterOf("asynq:servers"))) {
				server.broker.servers().ask(identity, new ServerWish("wish", true));
				soon().until(() -> server.server().state() == ServerState.STOPPED);
				assertThat(server.server().health().heartbeatMissed()).isFalse();
				server.stop();
				soon().until(() -> this.state.redis()
					.hasKey("asynq:servers:{" + identity.host() + ":" + identity.pid() + ":" + identity.serverId()
							+ "}") == Boolean.FALSE);
			}
		}
	}

	@ParameterizedTest
	@ValueSource(ints = { 1, 2 })
	void serverStartsBesideAHungMaster(int other) throws Exception {
		String queue = queues(0, 1).get(0);
		try (AutoCloseable hung = hang(other); TestServer server = server(queue).handling(untilInterrupted()).start()) {
			server.broker.tasks();
			server.enqueue(RedisState.message(queue, "t1").build());
			soon().until(() -> this.begun.contains("t1"));
			assertThat(calling(() -> {
				server.server().ping();
				return true;
			})).succeedsWithin(SOON);
			server.stop();
		}
	}

	/** Starts a server until its own keys are not on the master of another key. */
	private ServerIdentity startBesideMasterOf(TestServer server, String key) {
		while (true) {
			server.start();
			soon().until(() -> server.broker.fleet().servers().size() == 1);
			ServerInfo info = server.broker.fleet().servers().get(0);
			if (!this.cluster.masterOf("{" + info.host() + ":" + info.pid() + ":" + info.id() + "}")
				.equals(this.cluster.masterOf(key))) {
				return new ServerIdentity(info.host(), info.pid(), info.id());
			}
			server.stop();
		}
	}

	private void group(String queue, String group) {
		for (int i = 1; i <= 2; i++) {
			this.state.seedGrouped(Instant.ofEpochSecond(1),
					RedisState.message(queue, group + "-" + i).group(group).build());
		}
	}

	private TestServer.Builder server(String... queues) {
		return server(this.factory, queues);
	}

	private static TestServer.Builder server(RedisConnectionFactory factory, String... queues) {
		return TestServer.builder(factory).options((options) -> {
			Arrays.stream(queues).forEach((queue) -> options.queue(queue, 1));
			return options.concurrency(16)
				.shutdownTimeout(Duration.ofMillis(200))
				.groupLimits(GroupLimits.defaults().withGracePeriod(Duration.ofSeconds(1)));
		});
	}

	private RedisBroker broker() {
		return new RedisBroker(this.factory, Clock.systemUTC(), RedisBroker.DEFAULT_LEASE_DURATION, (task) -> {
		});
	}

	private TaskHandlerFunction untilInterrupted() {
		return (task, context) -> {
			this.begun.add(context.taskId());
			try {
				new CountDownLatch(1).await();
			}
			catch (InterruptedException ex) {
				this.interrupted.add(context.taskId());
				throw ex;
			}
			return null;
		};
	}

	private AutoCloseable hang(int master) {
		return this.cluster.pause(this.cluster.nodes().get(master));
	}

	private List<String> queues(int master, int count) {
		return this.cluster.namesOn(this.cluster.nodes().get(master), (name) -> RedisState.key(name, "pending"), count);
	}

	private String queueBesideMasterOf(String key) {
		List<String> nodes = this.cluster.nodes();
		return queues((nodes.indexOf(this.cluster.masterOf(key)) + 1) % nodes.size(), 1).get(0);
	}

	private static <T> CompletableFuture<T> calling(Supplier<T> call) {
		return CompletableFuture.supplyAsync(call, THREADS);
	}

	private static ConditionFactory soon() {
		return Awaitility.await().atMost(SOON);
	}

}
