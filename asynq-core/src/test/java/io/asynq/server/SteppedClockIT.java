package io.asynq.server;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

import io.asynq.FailurePredicate;
import io.asynq.Task;
import io.asynq.group.GroupLimits;
import io.asynq.handler.PostponeTaskException;
import io.asynq.internal.broker.RedisBroker;
import io.asynq.internal.enqueue.EnqueueRequest;
import io.asynq.internal.enqueue.Placement;
import io.asynq.internal.redis.RedisState;
import io.asynq.internal.redis.TaskMessage;
import io.asynq.internal.worker.Decision;
import io.asynq.internal.worker.LeasedTask;
import io.asynq.internal.worker.Outcome;
import io.asynq.test.MutableClock;
import io.asynq.test.RedisExtension;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.data.redis.connection.RedisConnectionFactory;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A server whose clock is stepped, or wrong.
 */
@ExtendWith(RedisExtension.class)
class SteppedClockIT {

	private static final String QUEUE = "default";

	private static final Duration DELAY = Duration.ofMinutes(10);

	private final MutableClock clock = new MutableClock(Instant.now());

	private final RedisConnectionFactory factory;

	private final RedisBroker broker;

	private final RedisState state;

	SteppedClockIT(RedisConnectionFactory factory) {
		this.factory = factory;
		this.state = new RedisState(factory);
		this.broker = new RedisBroker(factory, this.clock, RedisBroker.DEFAULT_LEASE_DURATION, (task) -> {
		});
	}

	@ParameterizedTest
	@ValueSource(strings = { "PT-1H", "PT1H" })
	void delayedWritesFollowMeasuredTime(Duration step) {
		this.state.seedPending(message("failed"), message("postponed"));
		List<LeasedTask> tasks = this.broker.dequeuer().dequeue(QUEUE, 2).tasks();
		Decision decision = new Decision((retried, error, task) -> DELAY, FailurePredicate.always());
		long earliest = Instant.now().plus(DELAY).getEpochSecond();
		List<Outcome> outcomes = List.of(decision.decide(tasks.get(0), new IllegalStateException("boom")),
				decision.decide(tasks.get(1), new PostponeTaskException(DELAY)));
		this.clock.advance(step);
		this.broker.completer().report(outcomes);
		assertThat(this.state.scores(QUEUE, "retry")).containsOnlyKeys("failed", "postponed");
		assertThat(this.state.scores(QUEUE, "retry").values()).allSatisfy(
				(score) -> assertThat(score).isBetween(earliest, Instant.now().plus(DELAY).getEpochSecond() + 1));
	}

	@Test
	void groupIsDueThoughClockOfServerIsBehind() throws InterruptedException {
		CountDownLatch worked = new CountDownLatch(1);
		this.broker.enqueuer()
			.enqueue(new EnqueueRequest(RedisState.message(QUEUE, "t1").group("g").build(), new Placement.Grouped(),
					null));
		try (TestServer server = TestServer.builder(this.factory)
			.clock(Clock.offset(Clock.systemUTC(), Duration.ofHours(-1)))
			.options((options) -> options.groupLimits(GroupLimits.defaults().withGracePeriod(Duration.ofSeconds(1))))
			.aggregator((queue, group, tasks) -> Task.of("joined", group))
			.handling((task, context) -> {
				worked.countDown();
				return null;
			})
			.start()) {
			assertThat(worked.await(60, TimeUnit.SECONDS)).isTrue();
		}
	}

	private static TaskMessage message(String id) {
		return RedisState.message(QUEUE, id).build();
	}

}
