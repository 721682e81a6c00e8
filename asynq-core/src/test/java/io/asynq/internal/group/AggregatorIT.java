package io.asynq.internal.group;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;

import io.asynq.Task;
import io.asynq.TaskOptions;
import io.asynq.group.GroupLimits;
import io.asynq.handler.TaskMux;
import io.asynq.inspect.ServerInfo;
import io.asynq.internal.enqueue.EnqueueRequest;
import io.asynq.internal.enqueue.Placement;
import io.asynq.internal.redis.RedisState;
import io.asynq.internal.redis.TaskMessage;
import io.asynq.server.ServerStatistics;
import io.asynq.server.ServerState;
import io.asynq.server.TestServer;
import io.asynq.test.RedisExtension;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.data.redis.connection.RedisConnectionFactory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * How groups become tasks.
 */
@ExtendWith(RedisExtension.class)
@Timeout(300)
class AggregatorIT extends AggregatorFixture {

	AggregatorIT(RedisConnectionFactory factory) {
		super(factory);
	}

	@Test
	void fullGroupBecomesOneTaskThatRuns() throws Exception {
		add("g", "1", "2", "3");
		try (TestServer server = server(JOINING, OF_TWO).start()) {
			assertThat(next()).isEqualTo("g:1,2");
			await().untilAsserted(() -> assertThat(server.server().statistics().aggregations().get(QUEUE))
				.isEqualTo(new ServerStatistics.Aggregation(1, 0, 2)));
			assertThat(this.state.scores(QUEUE, "g:g")).hasSize(1);
			assertThat(this.state.exists(key("aggregation_sets"))).isFalse();
		}
	}

	@Test
	void membersComeInOrderOfArrival() throws Exception {
		List<String> ids = IntStream.range(0, 200).mapToObj((i) -> String.valueOf(i * 77 % 200)).toList();
		add("g", ids.toArray(String[]::new));
		try (TestServer server = server(JOINING, GroupLimits.defaults().withMaxSize(50)).start()) {
			// Workers run side by side what several aggregator threads have joined
			assertThat(List.of(next(), next(), next(), next()))
				.containsExactlyInAnyOrderElementsOf(IntStream.iterate(0, (i) -> i < 200, (i) -> i + 50)
					.mapToObj((i) -> "g:" + String.join(",", ids.subList(i, i + 50)))
					.toList());
			assertThat(server.server().statistics().aggregations().get(QUEUE).failed()).isZero();
		}
	}

	@Test
	void groupIsAggregatedAfterGracePeriod() throws Exception {
		Instant before = Clock.systemUTC().instant();
		add("g", "1", "2");
		try (TestServer server = server(JOINING, GroupLimits.defaults().withGracePeriod(Duration.ofSeconds(2)))
			.start()) {
			assertThat(next()).startsWith("g:");
			assertThat(Duration.between(before, Clock.systemUTC().instant())).isBetween(Duration.ofMillis(900),
					Duration.ofSeconds(30));
			await().untilAsserted(
					() -> assertThat(server.server().statistics().aggregations().get(QUEUE).tasks()).isEqualTo(2));
		}
	}

	@Test
	void scheduledGroupedTasksAreAggregatedWhenDue() throws Exception {
		Instant at = Clock.systemUTC().instant().plusSeconds(1);
		for (String id : List.of("1", "2")) {
			this.broker.enqueuer().enqueue(new EnqueueRequest(member("g", id), new Placement.Scheduled(at), null));
		}
		try (TestServer server = server(JOINING, OF_TWO.withGracePeriod(Duration.ofSeconds(1))).start()) {
			assertThat(next()).isIn("g:1,2", "g:2,1");
			assertThat(server.server().statistics().activeWorkers()).isLessThanOrEqualTo(1);
		}
	}

	@Test
	void groupOfAnySizeBecomesOneTask() throws Exception {
		add("g", IntStream.range(0, 10_000).mapToObj(String::valueOf).toArray(String[]::new));
		try (TestServer server = server((queue, group, tasks) -> Task.of("joined", String.valueOf(tasks.size())),
				GroupLimits.defaults().withGracePeriod(Duration.ofSeconds(1)))
			.start()) {
			assertThat(next()).isEqualTo("10000");
			await().untilAsserted(
					() -> assertThat(this.state.redis().keys("*{default}:*")).noneMatch((key) -> key.contains(":t:")));
			await().untilAsserted(
					() -> assertThat(server.server().statistics().aggregations().get(QUEUE).succeeded()).isEqualTo(1));
		}
	}

	@Test
	@Tag("slow")
	void atMostThreeThreadsAggregate() throws Exception {
		AtomicInteger present = new AtomicInteger();
		AtomicInteger most = new AtomicInteger();
		Set<String> groups = ConcurrentHashMap.newKeySet();
		for (int i = 0; i < 1100; i++) {
			seed("g" + i, Instant.ofEpochSecond(1), "t" + i);
		}
		CountDownLatch all = new CountDownLatch(1100);
		CountDownLatch three = new CountDownLatch(3);
		try (TestServer server = server((queue, group, tasks) -> {
			most.accumulateAndGet(present.incrementAndGet(), Math::max);
			groups.add(group);
			three.countDown();
			assertThat(three.await(60, TimeUnit.SECONDS)).isTrue();
			// A fourth one would arrive meanwhile
			LockSupport.parkNanos(1_000_000);
			present.decrementAndGet();
			return Task.of("joined", group);
		}, GroupLimits.defaults(), all).start()) {
			assertThat(all.await(60, TimeUnit.SECONDS)).isTrue();
			assertThat(groups).hasSize(1100);
			assertThat(most).hasValue(3);
			await().untilAsserted(() -> assertThat(server.server().statistics().aggregations().get(QUEUE))
				.isEqualTo(new ServerStatistics.Aggregation(1100, 0, 1100)));
		}
	}

	@Test
	void remainderOfGroupIsAggregatedAtOnce() throws Exception {
		add("g", IntStream.range(0, 20).mapToObj(String::valueOf).toArray(String[]::new));
		try (TestServer server = server(JOINING, OF_TWO).start()) {
			for (int i = 0; i < 10; i++) {
				assertThat(next()).startsWith("g:");
			}
			assertThat(server.server().statistics().aggregations().get(QUEUE).failed()).isZero();
		}
	}

	@Test
	void newTaskKeepsOptionsExceptQueueAndGroup() throws Exception {
		add("g", "1", "2");
		Task task = Task.of("joined", "x")
			.withOptions(TaskOptions.of((options) -> options.queue("other")
				.group("g")
				.taskId("new")
				.maxRetry(7)
				.processIn(Duration.ofHours(1))
				.header("tenant", "acme")));
		try (TestServer server = server((queue, group, tasks) -> task, OF_TWO).start()) {
			await().untilAsserted(() -> this.state.assertScheduled(QUEUE, "new"));
			assertThat(this.state.fields(QUEUE, "new")).containsOnlyKeys("state");
			TaskMessage stored = this.state.stored(QUEUE, "new");
			assertThat(stored.queue()).isEqualTo(QUEUE);
			assertThat(stored.group()).isEmpty();
			assertThat(stored.maxRetry()).isEqualTo(7);
			assertThat(stored.headers()).containsEntry("tenant", "acme");
			await().untilAsserted(
					() -> assertThat(server.server().statistics().aggregations().get(QUEUE).succeeded()).isEqualTo(1));
		}
	}

	@Test
	void newTaskIsNotGroupedAgain() throws Exception {
		add("g", "1", "2");
		AtomicInteger calls = new AtomicInteger();
		try (TestServer server = server((queue, group, tasks) -> {
			calls.incrementAndGet();
			return Task.of("joined", "x").withOptions(TaskOptions.of((options) -> options.group("g")));
		}, OF_TWO.withGracePeriod(Duration.ofSeconds(1))).start()) {
			assertThat(next()).isEqualTo("x");
			assertThat(this.worked.poll(1500, TimeUnit.MILLISECONDS)).isNull();
			assertThat(calls).hasValue(1);
			await().untilAsserted(
					() -> assertThat(server.server().statistics().aggregations().get(QUEUE).succeeded()).isEqualTo(1));
		}
	}

	@Test
	void otherQueuesAndGroupsWithoutAggregatorAreLeftAlone() throws Exception {
		seed("a:1", Instant.ofEpochSecond(1), "1");
		seed("b:1", Instant.ofEpochSecond(1), "2");
		this.state.seedGrouped(Instant.ofEpochSecond(1), RedisState.message("other", "3").group("a:1").build());
		try (TestServer server = TestServer.builder(this.factory)
			.aggregator(QUEUE, "a:", JOINING)
			.handling((task, context) -> {
				this.worked.add(text(task));
				return null;
			})
			.start()) {
			assertThat(next()).isEqualTo("a:1:1");
			this.state.assertGrouped(QUEUE, "b:1", "2");
			this.state.assertGrouped("other", "a:1", "3");
			assertThat(server.server().statistics().aggregations()).containsOnlyKeys(QUEUE);
		}
	}

	@Test
	void serverWithoutAggregatorLeavesGroupsAlone() throws Exception {
		seed("g", Instant.ofEpochSecond(1), "1");
		try (TestServer server = TestServer.builder(this.factory).handling((task, context) -> {
			this.worked.add(text(task));
			return null;
		}).start()) {
			server.enqueue(RedisState.message(QUEUE, "other").build());
			next();
			this.state.assertGrouped(QUEUE, "g", "1");
		}
	}

	@Test
	void quietServerContinuesAggregatingAsInGo() throws Exception {
		try (TestServer server = server(JOINING, GroupLimits.defaults().withGracePeriod(Duration.ofSeconds(1)))
			.start()) {
			server.server().quiet();
			add("g", "1");
			await().untilAsserted(() -> assertThat(this.state.pending(QUEUE)).hasSize(1));
			assertThat(this.worked).isEmpty();
		}
	}

	@Test
	void serverTakesTasksOnceItHasHandler() throws Exception {
		TaskMux mux = new TaskMux();
		try (TestServer server = TestServer.builder(this.factory).handling(mux).start()) {
			server.enqueue(member("", "t"));
			mux.handle("email", (task, context) -> {
				this.worked.add(text(task));
				return null;
			});
			assertThat(next()).isEqualTo("t");
			assertThat(server.server().state()).isEqualTo(ServerState.ACTIVE);
		}
	}

	@Test
	void serverWithoutHandlersAggregatesButTakesNoTasks() {
		try (TestServer server = TestServer.builder(this.factory)
			// Its state is published at once, not with the next heartbeat
			.options((options) -> options.groupLimits(OF_TWO.withGracePeriod(Duration.ofSeconds(1)))
				.heartbeatInterval(Duration.ofMinutes(10)))
			.lease(Duration.ofMinutes(30))
			.aggregator(JOINING)
			.handling(new TaskMux())) {
			server.enqueue(RedisState.message(QUEUE, "t").build());
			for (int round = 1; round <= 2; round++) {
				server.start();
				assertThat(server.server().state()).isEqualTo(ServerState.STOPPED);
				await().untilAsserted(() -> assertThat(server.broker.fleet().servers()).extracting(ServerInfo::status)
					.containsExactly("stopped"));
				add("g", "1", "2");
				int tasks = 1 + round;
				await().untilAsserted(() -> assertThat(this.state.pending(QUEUE)).hasSize(tasks).contains("t"));
				server.stop();
			}
			this.state.assertCounters(QUEUE, 0, 0);
		}
	}

}
