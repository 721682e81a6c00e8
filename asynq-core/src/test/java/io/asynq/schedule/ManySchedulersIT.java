package io.asynq.schedule;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import io.asynq.ClientOptions;
import io.asynq.Task;
import io.asynq.TaskInfo;
import io.asynq.handler.TaskAggregators;
import io.asynq.internal.broker.RedisBroker;
import io.asynq.internal.event.Observers;
import io.asynq.internal.redis.RedisState;
import io.asynq.internal.schedule.DefaultAsynqScheduler;
import io.asynq.internal.server.ServerComponents;
import io.asynq.server.ServerOptions;
import io.asynq.server.ServerPolicies;
import io.asynq.test.MutableClock;
import io.asynq.test.RedisExtension;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.data.redis.connection.RedisConnection;
import org.springframework.data.redis.connection.RedisConnectionFactory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Several schedulers with the same entries on one Redis, whose clocks differ.
 */
@ExtendWith(RedisExtension.class)
class ManySchedulersIT {

	private static final PeriodicTaskDefinition TICK = PeriodicTaskDefinition.of("@every 1s", Task.of("tick", "{}"))
		.id("tick");

	private static final Instant START = Instant.parse("2096-03-04T10:00:00.3Z");

	private final RedisConnectionFactory factory;

	private final RedisState state;

	private final List<Skewed> schedulers = new ArrayList<>();

	ManySchedulersIT(RedisConnectionFactory factory) {
		this.factory = factory;
		this.state = new RedisState(factory);
	}

	@AfterEach
	void stop() {
		this.schedulers.forEach((skewed) -> skewed.scheduler.stop());
	}

	@Test
	void skewedClocksStoreEachFireOnce() {
		Queue<String> handled = new ConcurrentLinkedQueue<>();
		ServerComponents server = server(handled);
		server.server().start();
		try {
			Skewed right = scheduler(START, TICK);
			Skewed ahead = scheduler(START.plusSeconds(2), TICK);
			// One fires at 10:00:01 to :50, the other at 10:00:03 to :50
			for (int second = 1; second <= 50; second++) {
				right.advance(Duration.ofSeconds(1));
				if (second <= 48) {
					ahead.advance(Duration.ofSeconds(1));
				}
				// A scheduler does without a fire while eight earlier ones of its entry
				// have not ended
				int fired = Math.min(second + 1, 50);
				await().until(() -> right.enqueued.size() + ahead.enqueued.size() >= fired);
			}
			await().until(() -> right.enqueued.size() + ahead.enqueued.size() >= 50 && handled.size() >= 50);
			right.scheduler.stop();
			ahead.scheduler.stop();
			assertThat(right.errors).isEmpty();
			assertThat(ahead.errors).isEmpty();
			assertThat(right.enqueued).doesNotContainAnyElementsOf(ahead.enqueued);
			assertThat(right.enqueued.size() + ahead.enqueued.size()).isEqualTo(50);
			assertThat(handled).doesNotHaveDuplicates().hasSize(50);
			assertThat(this.state.redis().keys("asynqj:{default}:fire:tick:*")).hasSize(50);
			// The outcome of the last one is written after its handler has returned
			await().untilAsserted(() -> assertThat(this.state.redis().opsForValue().get("asynq:{default}:processed"))
				.isEqualTo("50"));
		}
		finally {
			server.server().stop();
		}
	}

	@Test
	void thousandEntriesOfThreeSchedulersFireOnce() {
		PeriodicTaskDefinition[] hourly = IntStream.range(0, 1000)
			.mapToObj((i) -> PeriodicTaskDefinition.of("0 * * * *", Task.of("bill", "{}")).id("bill-" + i))
			.toArray(PeriodicTaskDefinition[]::new);
		List<Skewed> three = List.of(scheduler(START, hourly), scheduler(START.plusSeconds(1), hourly),
				scheduler(START.plusSeconds(2), hourly));
		three.forEach((one) -> one.advance(Duration.ofHours(1)));
		await().until(() -> three.stream().mapToInt((one) -> one.enqueued.size()).sum() == 1000);
		// Writing the history counts as well
		await().until(() -> this.state.redis().keys("asynq:scheduler_history:bill-*").size() == 1000);
		long deletions = deletions();
		three.forEach((one) -> one.scheduler.stop());
		// A stop has little time: one call per entry would be too slow for a slow Redis
		assertThat(deletions() - deletions).isLessThan(50);
		assertThat(three).allSatisfy((one) -> assertThat(one.errors).isEmpty());
		assertThat(this.state.redis().opsForList().range("asynq:{default}:pending", 0, -1)).hasSize(1000)
			.doesNotHaveDuplicates();
		assertThat(this.state.redis().keys("asynqj:{default}:fire:bill-*")).hasSize(1000);
		await().untilAsserted(() -> assertThat(this.state.redis().keys("asynq:scheduler*")).isEmpty());
	}

	@Test
	void commonFireOfOldAndNewSpecIsStoredOnce() {
		Task task = Task.of("report", "{}");
		Skewed old = scheduler(START, PeriodicTaskDefinition.of("*/2 * * * *", task).id("report"));
		Skewed deployed = scheduler(START, PeriodicTaskDefinition.of("*/3 * * * *", task).id("report"));
		for (int minute = 1; minute <= 6; minute++) {
			old.advance(Duration.ofMinutes(1));
			deployed.advance(Duration.ofMinutes(1));
		}
		await().until(() -> old.enqueued.size() + deployed.enqueued.size() == 4);
		old.scheduler.stop();
		deployed.scheduler.stop();
		Stream<Instant> times = Stream.of(2, 3, 4, 6)
			.map((minute) -> Instant.parse("2096-03-04T10:0" + minute + ":00Z"));
		assertThat(this.state.redis().keys("asynqj:{default}:fire:report:*")).containsExactlyInAnyOrderElementsOf(
				times.map((time) -> "asynqj:{default}:fire:report:" + time.getEpochSecond()).toList());
		assertThat(this.state.redis().opsForList().size("asynq:{default}:pending")).isEqualTo(4);
	}

	@Test
	void retainedOrArchivedRunDoesNotBlockNextFire() {
		PeriodicTaskDefinition kept = PeriodicTaskDefinition.of("@every 1s", Task.of("tick", "{}"))
			.id("kept")
			.options((options) -> options.retention(Duration.ofHours(1)));
		Skewed one = scheduler(START, kept);
		one.advance(Duration.ofSeconds(1));
		await().until(() -> one.enqueued.size() == 1);
		String first = one.enqueued.peek();
		this.state.redis().delete("asynq:{default}:pending");
		this.state.seedArchived(START, RedisState.message("default", first).build());
		one.advance(Duration.ofSeconds(1));
		await().until(() -> one.enqueued.size() == 2);
		assertThat(one.errors).isEmpty();
	}

	@Test
	void threeSchedulersCatchUpOnceAfterOutage() {
		PeriodicTaskDefinition hourly = PeriodicTaskDefinition.of("0 * * * *", Task.of("hourly", "{}"))
			.id("hourly")
			.missedFires(MissedFirePolicy.ONCE);
		Skewed before = scheduler(START.minusSeconds(5), hourly);
		await().until(() -> this.state.redis().hasKey("asynqj:{default}:fired:hourly"));
		before.scheduler.stop();
		Instant back = START.plus(Duration.ofHours(7));
		List<Skewed> after = List.of(scheduler(back.minusSeconds(2), hourly), scheduler(back, hourly),
				scheduler(back.plusSeconds(2), hourly));
		String latest = String.valueOf(Instant.parse("2096-03-04T17:00:00Z").getEpochSecond());
		await().until(() -> latest.equals(this.state.redis().opsForValue().get("asynqj:{default}:fired:hourly")));
		after.forEach((one) -> one.scheduler.stop());
		// Two clocks have passed 17:00, one has not: it catches up 16:00 only if it is
		// first
		int tasks = after.stream().mapToInt((one) -> one.enqueued.size()).sum();
		assertThat(tasks).isBetween(1, 2);
		assertThat(this.state.redis().opsForList().size("asynq:{default}:pending")).isEqualTo(tasks);
		assertThat(this.state.redis().keys("asynqj:{default}:fire:hourly:*")).hasSize(tasks);
	}

	@Test
	void fireCaughtUpByAnotherIsNotRepeated() {
		PeriodicTaskDefinition hourly = PeriodicTaskDefinition.of("0 * * * *", Task.of("hourly", "{}"))
			.id("hourly")
			.missedFires(MissedFirePolicy.ONCE);
		Skewed stays = scheduler(START, hourly);
		await().until(() -> this.state.redis().hasKey("asynqj:{default}:fired:hourly"));
		stays.advance(Duration.ofHours(1));
		await().until(() -> stays.enqueued.size() == 1);
		Skewed comes = scheduler(START.plus(Duration.ofHours(1)), hourly);
		comes.advance(Duration.ofHours(1));
		stays.advance(Duration.ofHours(1));
		await().until(() -> stays.enqueued.size() + comes.enqueued.size() == 2);
		stays.scheduler.stop();
		comes.scheduler.stop();
		assertThat(this.state.redis().opsForList().size("asynq:{default}:pending")).isEqualTo(2);
	}

	private Skewed scheduler(Instant now, PeriodicTaskDefinition... tasks) {
		Skewed skewed = new Skewed(now);
		this.schedulers.add(skewed);
		List.of(tasks).forEach(skewed.scheduler::register);
		skewed.scheduler.start();
		return skewed;
	}

	private long deletions() {
		try (RedisConnection connection = this.factory.getConnection()) {
			String stat = connection.serverCommands().info("commandstats").getProperty("cmdstat_del", "calls=0,");
			return Long.parseLong(stat.substring("calls=".length(), stat.indexOf(',')));
		}
	}

	private ServerComponents server(Queue<String> handled) {
		RedisBroker broker = new RedisBroker(this.factory, Clock.systemUTC(), RedisBroker.DEFAULT_LEASE_DURATION,
				(task) -> {
				});
		return new ServerComponents(broker, (task, context) -> {
			LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(1));
			handled.add(context.taskId());
			return null;
		}, new TaskAggregators(), ServerOptions.builder().concurrency(4).handleTstp(false).build(),
				ServerPolicies.defaults(), Observers.none(), Clock.systemUTC(), () -> true);
	}

	private final class Skewed implements SchedulerListener {

		final MutableClock clock;

		final DefaultAsynqScheduler scheduler;

		final Queue<String> enqueued = new ConcurrentLinkedQueue<>();

		final Queue<Exception> errors = new ConcurrentLinkedQueue<>();

		Skewed(Instant now) {
			this.clock = new MutableClock(now);
			RedisBroker broker = new RedisBroker(ManySchedulersIT.this.factory, this.clock,
					RedisBroker.DEFAULT_LEASE_DURATION, (task) -> {
					});
			this.scheduler = (DefaultAsynqScheduler) AsynqScheduler.create(broker,
					ClientOptions.builder().clock(this.clock).build(),
					SchedulerOptions.builder().clock(this.clock).build(), List.of(this));
		}

		void advance(Duration by) {
			this.clock.advance(by);
			this.scheduler.wake();
			await().pollInterval(Duration.ofMillis(1))
				.until(() -> this.scheduler.entries()
					.stream()
					.allMatch((entry) -> entry.next() != null && entry.next().isAfter(this.clock.instant())));
		}

		@Override
		public void afterEnqueue(String entryId, @Nullable TaskInfo info, @Nullable Exception error) {
			if (info != null) {
				this.enqueued.add(info.id());
			}
			else {
				this.errors.add(error);
			}
		}

	}

}
