package io.asynq.server;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

import io.asynq.Task;
import io.asynq.broker.GroupLimits;
import io.asynq.broker.redis.RedisState;
import io.asynq.test.RedisExtension;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.data.redis.connection.RedisConnectionFactory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * What becomes of groups when their server stops.
 */
@ExtendWith(RedisExtension.class)
@Timeout(60)
class AggregatorStopIT extends AggregatorFixture {

	AggregatorStopIT(RedisConnectionFactory factory) {
		super(factory);
	}

	@Test
	void anAggregatorThatEndsInTimeIsWaitedForAndTheServerStartsAgain() throws Exception {
		CountDownLatch entered = new CountDownLatch(1);
		CountDownLatch released = new CountDownLatch(1);
		seed("g", Instant.ofEpochSecond(1), "1");
		try (TestServer server = server((queue, group, tasks) -> {
			entered.countDown();
			released.await();
			return JOINING.aggregate(queue, group, tasks);
		}, GroupLimits.defaults()).start()) {
			assertThat(entered.await(10, TimeUnit.SECONDS)).isTrue();
			Thread stopping = new Thread(server::stop);
			stopping.start();
			await().until(() -> server.server().state() != ServerState.ACTIVE);
			released.countDown();
			stopping.join(10_000);
			assertThat(this.state.pending(QUEUE)).hasSize(1);
			seed("h", Instant.ofEpochSecond(1), "2");
			server.start();
			assertThat(List.of(next(), next())).containsExactlyInAnyOrder("g:1", "h:2");
		}
	}

	@Test
	void anAggregatorThatHeedsItsInterruptLeavesNoThreadBehind() throws Exception {
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
			assertThat(entered.await(10, TimeUnit.SECONDS)).isTrue();
			server.stop();
			await().atMost(Duration.ofSeconds(1))
				.untilAsserted(() -> assertThat(Thread.getAllStackTraces().keySet()).extracting(Thread::getName)
					.noneMatch((name) -> name.startsWith("asynq-aggregation-")));
			this.state.assertGrouped(QUEUE, "g", "1");
			assertThat(server.server().statistics().aggregations().get(QUEUE).failed()).isZero();
		}
	}

	@Test
	void anAggregatorThatIgnoresTheEndOfItsServerLosesNothing() throws Exception {
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
			assertThat(entered.await(10, TimeUnit.SECONDS)).isTrue();
			server.stop();
			this.state.assertGrouped(QUEUE, "g", "1", "2");
			released.countDown();
			await().untilTrue(left);
			await().during(Duration.ofMillis(300)).untilAsserted(() -> assertThat(this.state.pending(QUEUE)).isEmpty());
			this.state.assertGrouped(QUEUE, "g", "1", "2");
		}
	}

	@Test
	void handlersAndAggregatorsShareTheTimeOfAStop() throws Exception {
		CountDownLatch entered = new CountDownLatch(2);
		CountDownLatch released = new CountDownLatch(1);
		seed("g", Instant.ofEpochSecond(1), "1");
		try (TestServer server = TestServer.builder(this.factory)
			.options((options) -> options.shutdownTimeout(Duration.ofSeconds(3)))
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
			assertThat(entered.await(10, TimeUnit.SECONDS)).isTrue();
			long before = System.nanoTime();
			server.stop();
			assertThat(Duration.ofNanos(System.nanoTime() - before)).isBetween(Duration.ofSeconds(3),
					Duration.ofSeconds(5));
			this.state.assertGrouped(QUEUE, "g", "1");
			this.state.assertPending(QUEUE, "t");
		}
		finally {
			released.countDown();
		}
	}

	@Test
	void noGroupIsTakenAnyMoreWhileTheServerWaitsForItsHandlers() throws Exception {
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
			assertThat(entered.await(10, TimeUnit.SECONDS)).isTrue();
			Thread stopping = new Thread(server::stop);
			stopping.start();
			await().until(() -> server.server().state() == ServerState.CLOSED);
			seed("g", Instant.ofEpochSecond(1), "1");
			await().during(Duration.ofMillis(2500))
				.atMost(Duration.ofSeconds(4))
				.untilAsserted(() -> this.state.assertGrouped(QUEUE, "g", "1"));
			released.countDown();
			stopping.join(10_000);
			this.state.assertGrouped(QUEUE, "g", "1");
		}
		finally {
			released.countDown();
		}
	}

}
