package io.asynq.interop.random;

import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

import io.asynq.AsynqClient;
import io.asynq.ClientOptions;
import io.asynq.TaskState;
import io.asynq.inspect.AsynqInspector;
import io.asynq.inspect.Page;
import io.asynq.internal.broker.RedisBroker;
import io.asynq.interop.peer.Attempt;
import io.asynq.interop.peer.GoPeer;
import io.asynq.interop.peer.JavaPeer;
import io.asynq.interop.peer.PeerServer;
import io.asynq.interop.peer.ServerSpec;
import io.asynq.interop.peer.TaskView;
import io.asynq.test.RedisExtension;
import io.asynq.test.TestRedis;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.ShrinkingMode;
import net.jqwik.api.lifecycle.AddLifecycleHook;
import net.jqwik.api.lifecycle.AfterContainer;
import net.jqwik.api.lifecycle.BeforeContainer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.springframework.data.redis.connection.RedisConnection;
import org.springframework.data.redis.connection.jedis.JedisConnectionFactory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Whatever the client and inspector of Java do while servers of Go and Java work, the
 * state is consistent in the end. A failure prints the seed that repeats it.
 */
@Tag("slow")
@AddLifecycleHook(SkippedWithoutGo.class)
class RandomOperationsIT {

	private static final int PAGE_SIZE = 3;

	private static TestRedis server;

	private static JedisConnectionFactory connections;

	private static GoPeer go;

	private static int attemptsOfGo;

	private static int attemptsOfJava;

	private static int cancelled;

	@BeforeContainer
	static void start() {
		server = TestRedis.startOwn();
		connections = RedisExtension.connectionFactory(server);
		go = new GoPeer(server.uri());
	}

	@AfterContainer
	static void stop() {
		if (server != null) {
			go.close();
			connections.destroy();
			server.stop();
			assertThat(attemptsOfGo).as("attempts of Go").isPositive();
			assertThat(attemptsOfJava).as("attempts of Java").isPositive();
			assertThat(cancelled).as("attempts that were cancelled").isPositive();
		}
	}

	@Property(shrinking = ShrinkingMode.BOUNDED)
	void randomOperationsLeaveConsistentState(@ForAll("sequences") List<Operation> operations) {
		try (JavaPeer java = new JavaPeer(connections); RedisConnection redis = connections.getConnection()) {
			redis.serverCommands().flushDb();
			RedisBroker broker = new RedisBroker(connections, Clock.systemUTC(), RedisBroker.DEFAULT_LEASE_DURATION,
					(broken) -> {
					});
			AsynqInspector inspector = AsynqInspector.create(broker, Clock.systemUTC());
			AsynqClient client = AsynqClient.create(broker, ClientOptions.builder().clock(Clock.systemUTC()).build());
			Invariants invariants = new Invariants(redis);
			List<Attempt> begun = workWhile(java, inspector, (attempts) -> {
				Applied applied = new Applied(client, inspector, attempts);
				for (Operation operation : operations) {
					applied.apply(operation);
					invariants.everyActiveTaskHasALease();
				}
				applied.resume();
				awaitIdle(java, attempts, invariants);
			});
			invariants.everyActiveTaskHasALease();
			invariants.everyTaskIsInOneContainer();
			invariants.noLockOutlivesItsTask();
			invariants.groupsWithTasksAreListed();
			List<Fate> fates = begun.stream().map((attempt) -> Fate.ofType(attempt.type())).toList();
			invariants.countersAre(fates.stream().mapToLong(Fate::processed).sum(),
					fates.stream().mapToLong(Fate::failed).sum());
			if (inspector.queues().contains(Applied.QUEUE)) {
				assertThat(java.queue(Applied.QUEUE)).isEqualTo(go.queue(Applied.QUEUE));
				bothListTheSame(inspector);
				inspector.deleteQueue(Applied.QUEUE, true);
			}
			invariants.nothingIsLeft();
		}
	}

	@Provide
	Arbitrary<List<Operation>> sequences() {
		return Operations.any().list().ofMinSize(30).ofMaxSize(80);
	}

	private static List<Attempt> workWhile(JavaPeer java, AsynqInspector inspector, Consumer<Attempts> operations) {
		ServerSpec spec = ServerSpec.ofDefaultQueue().withQueues(Map.of(Applied.QUEUE, 1));
		for (Fate fate : Fate.values()) {
			spec = spec.with(fate.type(), fate.behaviour());
		}
		PeerServer one = go.serve(spec.withConcurrency(4));
		PeerServer other = java.serve(spec.withConcurrency(2));
		Attempts attempts = new Attempts(inspector, one, other);
		try {
			operations.accept(attempts);
		}
		finally {
			one.close();
			other.close();
		}
		List<Attempt> all = new ArrayList<>(attempts.ofGo());
		attemptsOfGo += all.size();
		attemptsOfJava += attempts.ofJava().size();
		all.addAll(attempts.ofJava());
		cancelled += (int) all.stream().filter((attempt) -> Fate.ofType(attempt.type()) == Fate.BLOCK).count();
		return all;
	}

	private static void awaitIdle(JavaPeer java, Attempts attempts, Invariants invariants) {
		if (java.queues().contains(Applied.QUEUE)) {
			await().pollInterval(Duration.ofMillis(20)).until(() -> {
				attempts.cancelAll();
				// In the order in which tasks leave
				return !invariants.anythingIsDueSoon()
						&& !java.queue(Applied.QUEUE).tasks().containsKey(TaskState.PENDING)
						&& !java.queue(Applied.QUEUE).tasks().containsKey(TaskState.ACTIVE);
			});
		}
	}

	private static void bothListTheSame(AsynqInspector inspector) {
		for (TaskState state : TaskState.stored()) {
			if (state == TaskState.AGGREGATING) {
				Applied.GROUPS.forEach((group) -> bothListTheSame(inspector, state, group));
			}
			else {
				bothListTheSame(inspector, state, null);
			}
		}
	}

	private static void bothListTheSame(AsynqInspector inspector, TaskState state, @Nullable String group) {
		int page = 1;
		List<TaskView> tasks;
		do {
			tasks = page(inspector, state, group, page);
			assertThat(tasks).as("page %d of %s tasks", page, state)
				.isEqualTo(go.inspector()
					.page(Applied.QUEUE, state, group, page, PAGE_SIZE)
					.stream()
					.map(TaskView::timeless)
					.toList());
			page++;
		}
		while (!tasks.isEmpty());
	}

	private static List<TaskView> page(AsynqInspector inspector, TaskState state, @Nullable String group, int number) {
		Page page = Page.of(number, PAGE_SIZE);
		return ((group != null) ? inspector.listAggregatingTasks(Applied.QUEUE, group, page)
				: inspector.listTasks(Applied.QUEUE, state, page))
			.stream()
			.map((task) -> TaskView.of(task).timeless())
			.toList();
	}

}
