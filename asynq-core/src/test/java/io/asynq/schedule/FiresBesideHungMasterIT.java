package io.asynq.schedule;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;

import io.asynq.ClientOptions;
import io.asynq.Task;
import io.asynq.TaskInfo;
import io.asynq.internal.broker.RedisBroker;
import io.asynq.internal.redis.RedisState;
import io.asynq.internal.schedule.DefaultAsynqScheduler;
import io.asynq.test.MutableClock;
import io.asynq.test.RedisClusterExtension;
import io.asynq.test.TestRedisCluster;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.springframework.core.task.SimpleAsyncTaskExecutor;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.core.StringRedisTemplate;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Fires into healthy queues, while another master of the cluster hangs for good: the
 * driver waits for its answers longer than any test does.
 */
@Timeout(300)
class FiresBesideHungMasterIT {

	@RegisterExtension
	static final RedisClusterExtension redis = new RedisClusterExtension(Duration.ofMinutes(10));

	private static final Instant START = Instant.parse("2096-03-04T10:00:00.3Z");

	private static final Duration SOON = Duration.ofSeconds(20);

	private final TestRedisCluster cluster = TestRedisCluster.shared();

	private final MutableClock clock = new MutableClock(START);

	private final Map<String, Integer> enqueued = new ConcurrentHashMap<>();

	private final RedisConnectionFactory factory;

	private final DefaultAsynqScheduler scheduler;

	FiresBesideHungMasterIT(RedisConnectionFactory factory) {
		this.factory = factory;
		RedisBroker broker = new RedisBroker(factory, this.clock, RedisBroker.DEFAULT_LEASE_DURATION, (task) -> {
		});
		SchedulerListener listener = new SchedulerListener() {

			@Override
			public void afterEnqueue(String entryId, @Nullable TaskInfo info, @Nullable Exception error) {
				if (info != null) {
					FiresBesideHungMasterIT.this.enqueued.merge(entryId, 1, Integer::sum);
				}
			}

		};
		this.scheduler = (DefaultAsynqScheduler) AsynqScheduler.create(broker,
				ClientOptions.builder().clock(this.clock).build(), SchedulerOptions.builder().clock(this.clock).build(),
				List.of(listener));
	}

	@AfterEach
	void stop() {
		this.scheduler.stop();
	}

	@Test
	void noFireIsLostWhereverTheHistoryOfItsEntryLies() throws Exception {
		List<String> entries = this.cluster.namesOn(node(1), (entry) -> "asynq:scheduler_history:" + entry, 10);
		entries.forEach((entry) -> register(entry, queue(0)));
		this.scheduler.start();
		fire(entries, 1);
		try (AutoCloseable hung = this.cluster.pause(node(1))) {
			for (int fires = 2; fires <= 20; fires++) {
				fire(entries, fires);
			}
			this.scheduler.wake();
		}
		// They are written when there is an answer
		StringRedisTemplate template = new StringRedisTemplate(this.factory);
		soon().until(() -> entries.stream()
			.allMatch((entry) -> template.opsForZSet().zCard("asynq:scheduler_history:" + entry) == 20));
	}

	@Test
	void firesIntoQueuesOfTheHungMasterDelayNoOthers() throws Exception {
		List<String> sick = this.cluster.namesOn(node(1), (entry) -> RedisState.key(entry, "pending"), 10);
		sick.forEach((name) -> register(name, name));
		register("well", queue(0));
		this.scheduler.start();
		fire(sick, 1);
		fire(List.of("well"), 1);
		try (AutoCloseable hung = this.cluster.pause(node(1))) {
			for (int fires = 2; fires <= 20; fires++) {
				fire(List.of("well"), fires);
			}
		}
	}

	@Test
	void taskByHandDoesNotWaitForItsHistory() throws Exception {
		String entry = this.cluster.namesOn(node(1), (name) -> "asynq:scheduler_history:" + name, 1).get(0);
		register(entry, queue(0));
		try (AutoCloseable hung = this.cluster.pause(node(1))) {
			assertThat(CompletableFuture.supplyAsync(() -> this.scheduler.enqueueNow(entry),
					new SimpleAsyncTaskExecutor("caller-")))
				.succeedsWithin(SOON)
				.isNotNull();
		}
	}

	@Test
	void missedFireIsCaughtUpWhileEntriesCannotBeListed() throws Exception {
		String lists = this.cluster.masterOf("asynq:schedulers");
		String queue = this.cluster
			.namesOn(lists.equals(node(0)) ? node(1) : node(0), (name) -> RedisState.key(name, "pending"), 1)
			.get(0);
		this.scheduler.register(PeriodicTaskDefinition.of("@every 1h", Task.of("tick", "{}"))
			.id("hourly")
			.options((options) -> options.queue(queue))
			.missedFires(MissedFirePolicy.ONCE));
		StringRedisTemplate template = new StringRedisTemplate(this.factory);
		template.opsForValue()
			.set("asynqj:{" + queue + "}:fired:hourly",
					String.valueOf(START.minus(Duration.ofHours(5)).getEpochSecond()));
		try (AutoCloseable hung = this.cluster.pause(lists)) {
			this.scheduler.start();
			soon().until(() -> this.enqueued.containsKey("hourly"));
		}
	}

	private void register(String entry, String queue) {
		this.scheduler.register(PeriodicTaskDefinition.of("@every 1s", Task.of("tick", "{}"))
			.id(entry)
			.options((options) -> options.queue(queue)));
	}

	private void fire(List<String> entries, int times) {
		if (entries.stream().anyMatch((entry) -> this.enqueued.getOrDefault(entry, 0) < times)) {
			this.clock.advance(Duration.ofSeconds(1));
			this.scheduler.wake();
			soon().until(() -> entries.stream().allMatch((entry) -> this.enqueued.getOrDefault(entry, 0) >= times));
		}
	}

	private String queue(int master) {
		return this.cluster.namesOn(node(master), (name) -> RedisState.key(name, "pending"), 1).get(0);
	}

	private String node(int master) {
		return this.cluster.nodes().get(master);
	}

	private static ConditionFactory soon() {
		return Awaitility.await().atMost(SOON).pollInterval(Duration.ofMillis(10));
	}

}
