package io.asynq.internal.group;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;

import io.asynq.Task;
import io.asynq.group.GroupLimits;
import io.asynq.internal.redis.RedisState;
import io.asynq.server.AsynqServer;
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
 * What happens to groups when their server stops.
 */
@Tag("slow")
@ExtendWith(RedisExtension.class)
@Timeout(300)
class AggregatorStopIT extends AggregatorFixture {

	private static final String CRASHES = "asynqj:{default}:aggregator-crashes";

	AggregatorStopIT(RedisConnectionFactory factory) {
		super(factory);
	}

	@Test
	void haltOfServerByAggregatorIsCountedByAnotherServer() {
		String set = "asynq:{default}:g:g:left";
		this.state.redis().opsForHash().put("asynqj:{default}:aggregators", set, "1000000000|host-a:1");
		try (TestServer server = server(JOINING, GroupLimits.defaults()).start()) {
			await().untilAsserted(() -> assertThat(this.state.redis().opsForHash().get(CRASHES, "g"))
				.isEqualTo("1|host-a:1 1000000000"));
			assertThat(this.state.redis().hasKey("asynqj:{default}:aggregators")).isFalse();
		}
	}

	@Test
	void aggregatorThatStopsItsServerIsChargedWithCrash() throws Exception {
		AtomicReference<AsynqServer> itself = new AtomicReference<>();
		CountDownLatch started = new CountDownLatch(1);
		CountDownLatch stopped = new CountDownLatch(1);
		seed("g", Instant.ofEpochSecond(1), "1");
		try (TestServer server = server((queue, group, tasks) -> {
			started.await();
			itself.get().stop();
			stopped.countDown();
			return JOINING.aggregate(queue, group, tasks);
		}, GroupLimits.defaults()).start()) {
			itself.set(server.server());
			started.countDown();
			assertThat(stopped.await(120, TimeUnit.SECONDS)).isTrue();
			await().untilAsserted(() -> this.state.assertGrouped(QUEUE, "g", "1"));
			assertThat(this.state.pending(QUEUE)).isEmpty();
			await().untilAsserted(
					() -> assertThat(this.state.redis().opsForHash().get(CRASHES, "g")).asString().startsWith("1|"));
		}
	}

	@Test
	void groupThatKeepsCrashingServersIsArchivedWithReason() {
		seed("g", Instant.ofEpochSecond(1), "1", "2");
		this.state.redis().opsForHash().put(CRASHES, "g", "4|host-a:1 1000000000,host-b:2 1000000060");
		AtomicBoolean called = new AtomicBoolean();
		try (TestServer server = server((queue, group, tasks) -> {
			called.set(true);
			return JOINING.aggregate(queue, group, tasks);
		}, GroupLimits.defaults()).start()) {
			await().until(() -> this.state.scores(QUEUE, "archived").size() == 2);
			assertThat(this.state.stored(QUEUE, "1").errorMessage()).contains("took down 4 servers",
					"asynq.server.max-crashes", "host-a:1 2001-09-09T01:46:40Z", "host-b:2 2001-09-09T01:47:40Z");
			await().until(() -> !this.state.redis().hasKey(CRASHES));
			assertThat(called).isFalse();
		}
	}

	@Test
	void stopWaitsForAggregatorAndServerRestarts() throws Exception {
		CountDownLatch entered = new CountDownLatch(1);
		CountDownLatch released = new CountDownLatch(1);
		seed("g", Instant.ofEpochSecond(1), "1");
		try (TestServer server = server((queue, group, tasks) -> {
			entered.countDown();
			released.await();
			return JOINING.aggregate(queue, group, tasks);
		}, GroupLimits.defaults()).start()) {
			assertThat(entered.await(60, TimeUnit.SECONDS)).isTrue();
			Thread stopping = new Thread(server::stop);
			stopping.start();
			await().until(() -> server.server().state() != ServerState.ACTIVE);
			released.countDown();
			stopping.join(60_000);
			assertThat(this.state.pending(QUEUE)).hasSize(1);
			seed("h", Instant.ofEpochSecond(1), "2");
			server.start();
			assertThat(List.of(next(), next())).containsExactlyInAnyOrder("g:1", "h:2");
		}
	}

	@Test
	void interruptedAggregatorLeavesNoThread() throws Exception {
		CountDownLatch entered = new CountDownLatch(1);
		seed("g", Instant.ofEpochSecond(1), "1");
		try (TestServer server = TestServer.builder(this.factory)
			.options((options) -> options.shutdownTimeout(Duration.ofMillis(200)))
			.aggregator((queue, group, tasks) -> {
				entered.countDown();
				new CountDownLatch(1).await();
				return JOINING.aggregate(queue, group, tasks);
			})
			.handling((task, context) -> null)
			.start()) {
			assertThat(entered.await(60, TimeUnit.SECONDS)).isTrue();
			server.stop();
			await().untilAsserted(() -> assertThat(Thread.getAllStackTraces().keySet()).extracting(Thread::getName)
				.noneMatch((name) -> name.startsWith("asynq-aggregation-")));
			await().untilAsserted(() -> this.state.assertGrouped(QUEUE, "g", "1"));
			assertThat(server.server().statistics().aggregations().get(QUEUE).failed()).isZero();
		}
	}

	@Test
	void aggregatorIgnoringStopLosesNothing() throws Exception {
		CountDownLatch entered = new CountDownLatch(1);
		CountDownLatch released = new CountDownLatch(1);
		AtomicBoolean left = new AtomicBoolean();
		seed("g", Instant.ofEpochSecond(1), "1", "2");
		try (TestServer server = TestServer.builder(this.factory)
			.options((options) -> options.shutdownTimeout(Duration.ofMillis(200)))
			.aggregator((queue, group, tasks) -> {
				entered.countDown();
				awaitStubbornly(released);
				left.set(true);
				return Task.of("joined", "late");
			})
			.handling((task, context) -> null)
			.start()) {
			assertThat(entered.await(60, TimeUnit.SECONDS)).isTrue();
			server.stop();
			await().untilAsserted(() -> this.state.assertGrouped(QUEUE, "g", "1", "2"));
			released.countDown();
			await().untilTrue(left);
			await().during(Duration.ofMillis(300)).untilAsserted(() -> assertThat(this.state.pending(QUEUE)).isEmpty());
			this.state.assertGrouped(QUEUE, "g", "1", "2");
		}
	}

	@Test
	void handlersAndAggregatorsShareStopTimeout() throws Exception {
		CountDownLatch entered = new CountDownLatch(2);
		CountDownLatch released = new CountDownLatch(1);
		seed("g", Instant.ofEpochSecond(1), "1");
		try (TestServer server = TestServer.builder(this.factory)
			.options((options) -> options.shutdownTimeout(Duration.ofSeconds(8)))
			.aggregator((queue, group, tasks) -> {
				entered.countDown();
				awaitStubbornly(released);
				return JOINING.aggregate(queue, group, tasks);
			})
			.handling((task, context) -> {
				entered.countDown();
				awaitStubbornly(released);
				return null;
			})
			.start()) {
			server.enqueue(RedisState.message(QUEUE, "t").build());
			assertThat(entered.await(60, TimeUnit.SECONDS)).isTrue();
			long before = System.nanoTime();
			server.stop();
			assertThat(Duration.ofNanos(System.nanoTime() - before)).as("not one after the other")
				.isBetween(Duration.ofSeconds(8), Duration.ofSeconds(15));
			await().untilAsserted(() -> this.state.assertGrouped(QUEUE, "g", "1"));
			await().untilAsserted(() -> this.state.assertPending(QUEUE, "t"));
		}
		finally {
			released.countDown();
		}
	}

	@Test
	void stoppingServerStartsNoAggregation() throws Exception {
		CountDownLatch entered = new CountDownLatch(1);
		CountDownLatch released = new CountDownLatch(1);
		try (TestServer server = TestServer.builder(this.factory)
			.options((options) -> options.groupLimits(GroupLimits.defaults().withGracePeriod(Duration.ofSeconds(1))))
			.aggregator(JOINING)
			.handling((task, context) -> {
				entered.countDown();
				released.await();
				return null;
			})
			.start()) {
			server.enqueue(RedisState.message(QUEUE, "t").build());
			assertThat(entered.await(60, TimeUnit.SECONDS)).isTrue();
			Thread stopping = new Thread(server::stop);
			stopping.start();
			await().until(() -> server.server().state() == ServerState.CLOSED);
			seed("g", Instant.ofEpochSecond(1), "1");
			await().during(Duration.ofMillis(2500)).untilAsserted(() -> this.state.assertGrouped(QUEUE, "g", "1"));
			released.countDown();
			stopping.join(60_000);
			this.state.assertGrouped(QUEUE, "g", "1");
		}
		finally {
			released.countDown();
		}
	}

}
