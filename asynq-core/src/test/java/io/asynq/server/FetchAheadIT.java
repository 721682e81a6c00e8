package io.asynq.server;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;

import io.asynq.BrokerUnavailableException;
import io.asynq.handler.TaskHandlerFunction;
import io.asynq.internal.broker.RedisBroker;
import io.asynq.internal.enqueue.EnqueueRequest;
import io.asynq.internal.enqueue.Placement;
import io.asynq.internal.fleet.ServerSnapshot;
import io.asynq.internal.redis.RedisState;
import io.asynq.internal.redis.ServerIdentity;
import io.asynq.internal.worker.Dequeued;
import io.asynq.internal.worker.TaskDequeuer;
import io.asynq.test.RedisExtension;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.data.redis.connection.RedisConnectionFactory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Tasks that a server takes before a worker is idle.
 */
@Tag("slow")
@ExtendWith(RedisExtension.class)
@Timeout(300)
class FetchAheadIT {

	private static final String QUEUE = "default";

	private static final int TASKS = 1500;

	private final RedisConnectionFactory factory;

	private final RedisState state;

	private final CountDownLatch go = new CountDownLatch(1);

	private final AtomicReference<TestServer> server = new AtomicReference<>();

	private final AtomicInteger askedAhead = new AtomicInteger();

	private final Queue<String> ran = new ConcurrentLinkedQueue<>();

	private final Queue<String> blocked = new ConcurrentLinkedQueue<>();

	FetchAheadIT(RedisConnectionFactory factory) {
		this.factory = factory;
		this.state = new RedisState(factory);
	}

	@Test
	void shortTasksAreHeldAndEachRunsOnce() {
		AtomicInteger most = new AtomicInteger();
		try (TestServer server = farAway((options) -> options, (task, context) -> {
			most.accumulateAndGet(held(), Math::max);
			this.ran.add(context.taskId());
			return null;
		})) {
			server.start();
			await().until(() -> this.ran.size() >= TASKS);
			await().until(() -> this.state.active(QUEUE).isEmpty());
		}
		assertThat(this.askedAhead.get()).isPositive();
		assertThat(most.get()).isBetween(1, 256);
		assertThat(this.ran).doesNotHaveDuplicates().hasSize(TASKS);
	}

	@Test
	void heldTasksAreCountedInEntryOfTheirServer() {
		try (TestServer server = farAway((options) -> options.heartbeatInterval(Duration.ofMillis(100)),
				(task, context) -> null)) {
			server.start();
			int filled = TASKS;
			while (server.broker.fleet().servers().stream().noneMatch((one) -> one.heldTasks() > 0)) {
				if (this.state.pending(QUEUE).size() < TASKS) {
					fill(server, filled, filled + TASKS);
					filled += TASKS;
				}
			}
		}
	}

	/**
	 * Handlers become long while tasks are held, which therefore go back.
	 */
	@Test
	void heldTasksThatWaitForLongGoBackToFrontInOrder() {
		try (TestServer server = blocking((options) -> options)) {
			await().until(() -> this.state.active(QUEUE).size() == 4 && held() == 0);
			assertThat(this.state.active(QUEUE)).containsExactlyInAnyOrderElementsOf(this.blocked);
			assertLeftInOrder(TASKS - this.ran.size() - 4);
			this.go.countDown();
			await().until(() -> this.ran.size() == TASKS);
		}
		assertThat(this.ran).doesNotHaveDuplicates();
	}

	@Test
	void heldTasksGoBackToFrontInOrderAtQuiet() {
		try (TestServer server = blocking((options) -> options)) {
			server.server().quiet();
			await().until(() -> this.state.active(QUEUE).size() == 4);
			assertLeftInOrder(TASKS - this.ran.size() - 4);
			this.go.countDown();
			server.server().resume();
			await().until(() -> this.ran.size() == TASKS);
		}
		assertThat(this.ran).doesNotHaveDuplicates();
	}

	@Test
	void heldTasksGoBackBehindRunningOnesAtStop() {
		TestServer server = blocking((options) -> options.shutdownTimeout(Duration.ofMillis(100)));
		server.stop();
		await().until(() -> this.state.active(QUEUE).isEmpty());
		assertLeftInOrder(TASKS - this.ran.size());
		assertThat(this.state.exists("asynq:{default}:failed")).isFalse();
	}

	@Test
	void cancellationFindsHeldTask() {
		try (TestServer server = blocking((options) -> options)) {
			List<String> held = new ArrayList<>(this.state.active(QUEUE));
			held.removeAll(this.blocked);
			String last = held.stream().max(FetchAheadIT::compare).orElseThrow();
			server.broker.cancellations().cancel(last);
			await().untilAsserted(() -> this.state.assertRetry(QUEUE, last));
			this.go.countDown();
		}
	}

	/**
	 * A server died that had fetched tasks ahead, one of them at its last attempt.
	 */
	@Test
	void heldTasksOfDeadServerRunAtOnceAndUncounted() {
		RedisBroker dead = new RedisBroker(this.factory, Clock.systemUTC(), RedisBroker.DEFAULT_LEASE_DURATION,
				(task) -> {
				});
		Queue<Integer> attempts = new ConcurrentLinkedQueue<>();
		this.state.seedPending(TestMessages.message("t0").maxRetry(0).build(), TestMessages.message("t1").build(),
				TestMessages.message("t2").build());
		assertThat(dead.dequeuer().dequeue(QUEUE, 3, 3).tasks()).hasSize(3);
		for (String id : List.of("t0", "t1", "t2")) {
			endLease(id);
		}
		try (TestServer server = TestServer.builder(this.factory)
			.options((options) -> options.heartbeatInterval(Duration.ofSeconds(1))
				.recoverInterval(Duration.ofSeconds(1)))
			.handling((task, context) -> {
				attempts.add(context.retryCount());
				return null;
			})) {
			server.start();
			await().until(() -> attempts.size() == 3);
			assertThat(server.server().statistics().crashed()).isZero();
		}
		assertThat(attempts).containsOnly(0);
		assertThat(this.state.exists("asynq:{default}:failed")).isFalse();
		this.state.assertArchived(QUEUE);
	}

	/**
	 * Workers go on with what is held, and each outcome is written when Redis is back.
	 */
	@Test
	void tasksThatAreHeldWhileRedisIsAwayRunOnce() {
		AtomicReference<Instant> back = new AtomicReference<>(Instant.MIN);
		TestServer server = TestServer.builder(this.factory).gate(() -> {
			LockSupport.parkNanos(Duration.ofMillis(2).toNanos());
			if (Instant.now().isBefore(back.get())) {
				throw new BrokerUnavailableException("away", null);
			}
		}).handling((task, context) -> {
			if (held() > 8) {
				back.compareAndSet(Instant.MIN, Instant.now().plusMillis(700));
			}
			this.ran.add(context.taskId());
			return null;
		});
		this.server.set(server);
		fill(server, 0, TASKS);
		try (server) {
			server.start();
			await().until(() -> this.ran.size() >= TASKS && this.state.active(QUEUE).isEmpty());
		}
		assertThat(back.get()).isNotEqualTo(Instant.MIN);
		assertThat(this.ran).doesNotHaveDuplicates().hasSize(TASKS);
	}

	/**
	 * Such servers, like Go's, charge every active task of a dead server: also one that
	 * takes no tasks recovers them.
	 */
	@ParameterizedTest
	@ValueSource(strings = { "active", "stopped", "closed" })
	void nothingIsFetchedAheadBesideServerOfTheQueueThatPublishesNoTypes(String status) {
		runBeside(QUEUE, status, false);
		assertThat(this.askedAhead).hasValue(0);
	}

	@ParameterizedTest
	@CsvSource({ "default, active, true", "other, active, false", "other, stopped, false" })
	void otherServersKeepNobodyFromFetchingAhead(String queue, String status, boolean types) {
		runBeside(queue, status, types);
		assertThat(this.askedAhead.get()).isPositive();
	}

	@Test
	void whatIsHeldGoesBackWhenServerAppearsThatPublishesNoTypes() {
		try (TestServer server = blocking((options) -> options.heartbeatInterval(Duration.ofMillis(50)))) {
			register(server, QUEUE, "active", false);
			await().until(() -> this.state.active(QUEUE).size() == 4 && held() == 0);
			assertLeftInOrder(TASKS - this.ran.size() - 4);
			await().until(() -> server.broker.servers().countIfAllPublishTypes(Set.of(QUEUE)) == 0);
			int asked = this.askedAhead.get();
			this.go.countDown();
			await().until(() -> this.ran.size() == TASKS);
			assertThat(this.askedAhead).hasValue(asked);
		}
		assertThat(this.ran).doesNotHaveDuplicates();
	}

	private void runBeside(String queue, String status, boolean types) {
		TestServer server = farAway((options) -> options, (task, context) -> {
			this.ran.add(context.taskId());
			return null;
		});
		register(server, queue, status, types);
		try (server) {
			server.start();
			await().until(() -> this.ran.size() == TASKS);
		}
	}

	private void register(TestServer server, String queue, String status, boolean types) {
		ServerIdentity identity = new ServerIdentity("host", 1, "beside");
		if (types) {
			server.broker.servers().writeTypes(identity, "", Duration.ofMinutes(5));
		}
		server.broker.servers().enlist(identity, Duration.ofMinutes(5));
		server.broker.servers()
			.write(new ServerSnapshot(identity, 1, new QueueWeights(Map.of(queue, 1), false), status, Instant.now(),
					List.of(), Map.of()), Duration.ofMinutes(5));
	}

	@Test
	void strictPriorityAndSwitchKeepServerFromFetchingAhead() {
		for (UnaryOperator<ServerOptions.Builder> options : List.<UnaryOperator<ServerOptions.Builder>>of(
				(builder) -> builder.strictPriority(true), (builder) -> builder.fetchAhead(false))) {
			this.ran.clear();
			try (TestServer server = farAway(options, (task, context) -> {
				this.ran.add(context.taskId());
				return null;
			})) {
				server.start();
				await().until(() -> this.ran.size() >= 1000);
			}
			this.state.redis().delete(this.state.redis().keys("*"));
		}
		assertThat(this.askedAhead).hasValue(0);
	}

	@Test
	void serversShareLongTasksEvenlyAndHoldNone() {
		AtomicInteger[] counts = { new AtomicInteger(), new AtomicInteger() };
		List<TestServer> servers = new ArrayList<>();
		try {
			for (AtomicInteger count : counts) {
				servers.add(TestServer.builder(this.factory).dequeuer(Watched::new).handling((task, context) -> {
					count.incrementAndGet();
					LockSupport.parkNanos(Duration.ofMillis(50).toNanos());
					return null;
				}));
			}
			fill(servers.get(0), 0, 200);
			servers.forEach(TestServer::start);
			await().until(() -> counts[0].get() + counts[1].get() == 200);
		}
		finally {
			servers.forEach(TestServer::close);
		}
		assertThat(counts[0].get()).isBetween(90, 110);
		assertThat(this.askedAhead).hasValue(0);
	}

	/**
	 * Starts a server whose four handlers block once tasks are held.
	 */
	private TestServer blocking(UnaryOperator<ServerOptions.Builder> options) {
		TestServer server = farAway(options, (task, context) -> {
			if (this.go.getCount() > 0 && (!this.blocked.isEmpty() || held() > 8)) {
				this.blocked.add(context.taskId());
				this.go.await();
			}
			this.ran.add(context.taskId());
			return null;
		});
		server.start();
		await().until(() -> this.blocked.size() == 4);
		return server;
	}

	private TestServer farAway(UnaryOperator<ServerOptions.Builder> options, TaskHandlerFunction handler) {
		TestServer server = TestServer.builder(this.factory)
			.options(options)
			.dequeuer(Watched::new)
			.gate(() -> LockSupport.parkNanos(Duration.ofMillis(2).toNanos()))
			.handling(handler);
		this.server.set(server);
		fill(server, 0, TASKS);
		return server;
	}

	private static void fill(TestServer server, int from, int to) {
		server.broker.enqueuer()
			.enqueueAll(IntStream.range(from, to)
				.mapToObj(
						(i) -> new EnqueueRequest(TestMessages.message("t" + i).build(), new Placement.Pending(), null))
				.toList());
	}

	private void endLease(String id) {
		String end = String.valueOf(Instant.now().getEpochSecond() - 40);
		this.state.redis().opsForZSet().add("asynq:{default}:lease", id, Double.parseDouble(end));
		String attempt = this.state.fields(QUEUE, id).get("x-attempt");
		this.state.seedField(QUEUE, id, "x-attempt", attempt.replaceFirst("@\\d+", "@" + end).getBytes());
	}

	private int held() {
		return this.server.get().server().statistics().heldTasks();
	}

	/**
	 * Asserts that the queue has the newest tasks, in the order of their enqueueing.
	 */
	private void assertLeftInOrder(int tasks) {
		List<String> pending = this.state.pending(QUEUE);
		assertThat(pending).isSortedAccordingTo(FetchAheadIT::compare).hasSize(tasks);
	}

	private static int compare(String a, String b) {
		return Integer.compare(Integer.parseInt(a.substring(1)), Integer.parseInt(b.substring(1)));
	}

	/**
	 * Counts how many tasks are asked for ahead of workers.
	 */
	private final class Watched implements TaskDequeuer {

		private final TaskDequeuer dequeuer;

		Watched(TaskDequeuer dequeuer) {
			this.dequeuer = dequeuer;
		}

		@Override
		public Dequeued dequeue(String queue, int max) {
			return dequeue(queue, max, 0);
		}

		@Override
		public Dequeued dequeue(String queue, int max, int ahead) {
			FetchAheadIT.this.askedAhead.addAndGet(ahead);
			return this.dequeuer.dequeue(queue, max, ahead);
		}

		@Override
		public Set<String> giveBackLost(Predicate<String> queues) {
			return this.dequeuer.giveBackLost(queues);
		}

	}

}
