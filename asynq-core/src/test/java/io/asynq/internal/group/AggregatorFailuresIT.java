package io.asynq.internal.group;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

import io.asynq.BrokerUnavailableException;
import io.asynq.Task;
import io.asynq.TaskOptions;
import io.asynq.group.GroupLimits;
import io.asynq.handler.RejectedTasksException;
import io.asynq.internal.redis.RedisState;
import io.asynq.server.ServerStatistics;
import io.asynq.server.TestServer;
import io.asynq.test.RedisExtension;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.data.redis.connection.RedisConnectionFactory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.mockito.Mockito.mock;

/**
 * Groups whose aggregation fails.
 */
@ExtendWith(RedisExtension.class)
@Timeout(300)
class AggregatorFailuresIT extends AggregatorFixture {

	AggregatorFailuresIT(RedisConnectionFactory factory) {
		super(factory);
	}

	/**
	 * One group per kind of failure, all at once, because each waits for its pause.
	 */
	@Test
	@Tag("slow")
	void failedAggregationLosesNothingAndIsRetriedAfterPause() throws Exception {
		this.state.seedArchived(Clock.systemUTC().instant(), RedisState.message(QUEUE, "taken").build());
		Map<String, FirstAnswer> first = Map.of("throws", () -> {
			throw new IllegalStateException("no time");
		}, "throws an error", () -> {
			throw new StackOverflowError("planted");
		}, "null", () -> null, "blank type", () -> Task.of(" ", "x"), "taken id",
				() -> Task.of("joined", "x").withOptions(TaskOptions.of((options) -> options.taskId("taken"))));
		first.keySet().forEach((way) -> seed(way, Instant.ofEpochSecond(1), way + "1", way + "2"));
		Map<String, List<Long>> calls = new ConcurrentHashMap<>();
		try (TestServer server = server((queue, group, tasks) -> {
			List<Long> times = calls.computeIfAbsent(group, (key) -> new CopyOnWriteArrayList<>());
			times.add(System.nanoTime());
			return (times.size() == 1) ? first.get(group).get() : JOINING.aggregate(queue, group, tasks);
		}, GroupLimits.defaults()).start()) {
			Set<String> joined = new TreeSet<>();
			for (int i = 0; i < first.size(); i++) {
				joined.add(next());
			}
			for (String way : first.keySet()) {
				assertThat(joined).contains(way + ":" + way + "1," + way + "2");
				assertThat(calls.get(way)).as(way).hasSize(2);
				assertThat(Duration.ofNanos(calls.get(way).get(1) - calls.get(way).get(0))).as("the pause, %s", way)
					.isGreaterThanOrEqualTo(Duration.ofSeconds(5));
				assertThat(this.state.exists(key("g:" + way))).as(way).isFalse();
			}
			await().untilAsserted(() -> assertThat(server.server().statistics().aggregations().get(QUEUE))
				.isEqualTo(new ServerStatistics.Aggregation(5, 5, 10)));
			assertThat(this.state.exists(key("aggregation_sets"))).isFalse();
		}
	}

	@Test
	@Tag("slow")
	void unconfirmedNewTaskIsStoredOnce() throws Exception {
		seed("g", Instant.ofEpochSecond(1), "1", "2");
		AtomicInteger stored = new AtomicInteger();
		try (TestServer server = TestServer.builder(this.factory)
			.groups((store) -> forgetful(store, stored))
			.aggregator(JOINING)
			.handling((task, context) -> {
				this.worked.add(text(task));
				return null;
			})
			.start()) {
			assertThat(next()).isEqualTo("g:1,2");
			await().untilAsserted(
					() -> assertThat(server.server().statistics().aggregations().get(QUEUE).failed()).isEqualTo(1));
			assertThat(this.state.exists(key("g:g"))).isFalse();
			assertThat(this.state.exists(key("aggregation_sets"))).isFalse();
			// Longer than the pause of a failed group
			assertThat(this.worked.poll(8, TimeUnit.SECONDS)).isNull();
			assertThat(stored).hasValue(1);
		}
	}

	@Test
	void rejectedTasksAreArchivedAndOthersAggregatedAtOnce() throws Exception {
		seed("g", Instant.ofEpochSecond(1), "1", "bad", "2");
		try (TestServer server = server((queue, group, tasks) -> {
			List<Task> bad = tasks.stream().filter((task) -> text(task).equals("bad")).toList();
			if (!bad.isEmpty()) {
				throw new RejectedTasksException("not of use", bad, null);
			}
			return JOINING.aggregate(queue, group, tasks);
		}, GroupLimits.defaults()).start()) {
			assertThat(next()).isEqualTo("g:1,2");
			this.state.assertArchived(QUEUE, "bad");
			assertThat(this.state.stored(QUEUE, "bad").errorMessage()).isEqualTo("not of use");
			assertThat(server.server().statistics().aggregations().get(QUEUE).failed()).isZero();
		}
	}

	@Test
	@Tag("slow")
	void hangingAggregatorLosesNothingAndBlocksNoOtherGroup() throws Exception {
		CountDownLatch released = new CountDownLatch(1);
		AtomicInteger calls = new AtomicInteger();
		AtomicBoolean first = new AtomicBoolean(true);
		seed("g", Instant.ofEpochSecond(1), "1", "2");
		try (TestServer server = TestServer.builder(this.factory)
			.groups((store) -> impatient(store, first))
			.options((options) -> options.groupLimits(GroupLimits.defaults().withGracePeriod(Duration.ofSeconds(1))))
			.aggregator((queue, group, tasks) -> {
				if (group.equals("g") && calls.getAndIncrement() == 0) {
					awaitStubbornly(released);
				}
				return JOINING.aggregate(queue, group, tasks);
			})
			.handling((task, context) -> {
				this.worked.add(text(task));
				return null;
			})
			.start()) {
			await().untilAsserted(
					() -> assertThat(server.server().statistics().aggregations().get(QUEUE).failed()).isEqualTo(1));
			await().untilAsserted(() -> this.state.assertGrouped(QUEUE, "g", "1", "2"));
			seed("h", Instant.ofEpochSecond(1), "3");
			assertThat(next()).isEqualTo("h:3");
			released.countDown();
			assertThat(next()).isEqualTo("g:1,2");
			assertThat(calls).as("it is called again after it has returned").hasValue(2);
			assertThat(server.server().statistics().aggregations().get(QUEUE).failed()).isEqualTo(1);
		}
		finally {
			released.countDown();
		}
	}

	/**
	 * The first set expires soon, but not before its aggregator has been called.
	 */
	private static GroupStore impatient(GroupStore store, AtomicBoolean first) {
		return mock(GroupStore.class, (call) -> {
			Object answer = call.getMethod().invoke(store, call.getArguments());
			return (answer instanceof StagedGroup staged && first.getAndSet(false))
					? new StagedGroup(staged.queue(), staged.group(), staged.set(), staged.size(), staged.expiresAt(),
							System.nanoTime() + Duration.ofSeconds(5).toNanos())
					: answer;
		});
	}

	private static GroupStore forgetful(GroupStore store, AtomicInteger stored) {
		return mock(GroupStore.class, (call) -> {
			Object answer = call.getMethod().invoke(store, call.getArguments());
			if (call.getMethod().getName().equals("finish")) {
				stored.incrementAndGet();
				throw new BrokerUnavailableException("planted: the answer is lost", null);
			}
			return answer;
		});
	}

	/**
	 * What an aggregator does on its first call.
	 */
	private interface FirstAnswer {

		Task get() throws Exception;

	}

}
