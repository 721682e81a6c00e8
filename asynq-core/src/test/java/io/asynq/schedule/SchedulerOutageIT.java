package io.asynq.schedule;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

import io.asynq.BrokerUnavailableException;
import io.asynq.ClientOptions;
import io.asynq.Task;
import io.asynq.TaskInfo;
import io.asynq.internal.broker.RedisBroker;
import io.asynq.internal.schedule.DefaultAsynqScheduler;
import io.asynq.test.MutableClock;
import io.asynq.test.TestRedis;
import io.asynq.test.process.RequiresGo;
import io.asynq.test.redis.LossyProxy;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.data.redis.connection.RedisStandaloneConfiguration;
import org.springframework.data.redis.connection.jedis.JedisConnectionFactory;
import org.springframework.data.redis.core.StringRedisTemplate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * A scheduler whose Redis is unavailable for a while.
 */
@Timeout(300)
class SchedulerOutageIT {

	private final Queue<String> enqueued = new ConcurrentLinkedQueue<>();

	private final Queue<Exception> errors = new ConcurrentLinkedQueue<>();

	@Test
	@Tag("slow")
	void continuesAfterOutage() {
		int port = TestRedis.freePort();
		TestRedis redis = TestRedis.startOwn(port);
		JedisConnectionFactory factory = factory(port);
		AsynqScheduler scheduler = scheduler(factory, Clock.systemUTC());
		scheduler.register(PeriodicTaskDefinition.of("@every 1s", Task.of("tick", "{}")).id("tick"));
		scheduler.start();
		try {
			await().until(() -> !this.enqueued.isEmpty());
			redis.stop();
			await().until(() -> !this.errors.isEmpty());
			assertThat(this.errors.peek()).isInstanceOf(BrokerUnavailableException.class);
			redis = TestRedis.startOwn(port);
			this.enqueued.clear();
			await().until(() -> this.enqueued.size() > 2);
			assertThat(this.enqueued).doesNotHaveDuplicates();
		}
		finally {
			scheduler.stop();
			factory.destroy();
			redis.stop();
		}
	}

	@Test
	@RequiresGo
	void fireWithLostAnswerIsStoredExactlyOnce() {
		int fires = 20;
		TestRedis redis = TestRedis.startOwn();
		MutableClock clock = new MutableClock(Instant.parse("2096-03-04T10:00:00.3Z"));
		JedisConnectionFactory direct = factory(redis.port());
		try {
			try (LossyProxy relay = LossyProxy.start(redis.port())) {
				JedisConnectionFactory factory = factory(relay.port());
				DefaultAsynqScheduler scheduler = (DefaultAsynqScheduler) scheduler(factory, clock);
				scheduler.register(PeriodicTaskDefinition.of("@every 1s", Task.of("tick", "{}")).id("tick"));
				scheduler.start();
				for (int i = 1; i <= fires; i++) {
					int done = i;
					relay.loseAnswerTo(":fire:tick:");
					clock.advance(Duration.ofSeconds(1));
					scheduler.wake();
					await().until(() -> this.enqueued.size() == done);
				}
				assertThat(relay.lost()).isEqualTo(fires);
				scheduler.stop();
				factory.destroy();
			}
			StringRedisTemplate template = new StringRedisTemplate(direct);
			assertThat(this.errors).isEmpty();
			assertThat(template.opsForList().range("asynq:{default}:pending", 0, -1))
				.containsExactlyInAnyOrderElementsOf(this.enqueued);
			assertThat(template.keys("asynqj:{default}:fire:tick:*")).hasSize(fires);
		}
		finally {
			direct.destroy();
			redis.stop();
		}
	}

	private static JedisConnectionFactory factory(int port) {
		JedisConnectionFactory factory = new JedisConnectionFactory(
				new RedisStandaloneConfiguration("127.0.0.1", port));
		factory.afterPropertiesSet();
		factory.start();
		return factory;
	}

	private AsynqScheduler scheduler(JedisConnectionFactory factory, Clock clock) {
		RedisBroker broker = new RedisBroker(factory, clock, RedisBroker.DEFAULT_LEASE_DURATION, (task) -> {
		});
		SchedulerListener listener = new SchedulerListener() {

			@Override
			public void afterEnqueue(String entryId, @Nullable TaskInfo info, @Nullable Exception error) {
				if (info != null) {
					SchedulerOutageIT.this.enqueued.add(info.id());
				}
				else {
					SchedulerOutageIT.this.errors.add(error);
				}
			}

		};
		return AsynqScheduler.create(broker, ClientOptions.builder().clock(clock).build(),
				SchedulerOptions.builder().clock(clock).build(), List.of(listener));
	}

}
